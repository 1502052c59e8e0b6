package io.remuda.coordinator.rest.request;

import io.remuda.agent.protocol.SbatchScriptVariables;
import io.remuda.coordinator.jobfield.ContainerRows;
import io.remuda.coordinator.jobfield.FieldLimit;
import io.remuda.coordinator.jobfield.FieldValues;
import io.remuda.coordinator.jobfield.ShortenedValues;
import io.remuda.coordinator.jobfield.SubmissionRows;
import io.remuda.coordinator.jobfield.WorkRows;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.CommandWorkload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The fields of a {@link JobRequest} that say what its tasks run and how the job is named. */
final class CommandFields {

  private static final int USUAL_UMASK = 022;

  private final FieldValues request;

  CommandFields(FieldValues request) {
    this.request = request;
  }

  /**
   * Returns the program and its arguments.
   *
   * @throws IllegalArgumentException if there is none, or with the environment it is too long
   */
  List<String> words() {
    List<String> words = chosenWords();
    checkSize(words);
    return words;
  }

  private List<String> chosenWords() {
    List<String> argv = request.get(WorkRows.ARGV);
    if (argv == null && !request.has(WorkRows.SHELL)) {
      return new GangFields(request)
          .commandOfFirstRole()
          .orElseThrow(() -> new IllegalArgumentException("give the command, as argv or as shell"));
    }
    if (argv != null && request.has(WorkRows.SHELL)) {
      throw new IllegalArgumentException("give argv or shell, and not both");
    }
    if (argv != null && argv.isEmpty()) {
      throw new IllegalArgumentException("argv names no program");
    }
    return argv != null ? argv : List.of("/bin/sh", "-c", request.get(WorkRows.SHELL));
  }

  /** Limits the size, because commands are sent to nodes unshortened and many at a time. */
  private void checkSize(List<String> words) {
    long size = 0;
    for (String word : words) {
      size += word.length();
    }
    for (Map.Entry<String, String> variable : environment().entrySet()) {
      size += variable.getKey().length() + variable.getValue().length();
    }
    if (size > FieldLimit.COMMAND) {
      throw new IllegalArgumentException(
          "arguments and environment have at most "
              + FieldLimit.COMMAND
              + " characters, got "
              + size);
    }
  }

  /** Returns the variables of its tasks; that of files is for the server. */
  private Map<String, String> environment() {
    Map<String, String> given = request.or(WorkRows.ENV, Map.of());
    if (!given.containsKey(SbatchScriptVariables.FILES)) {
      return given;
    }
    Map<String, String> kept = new HashMap<>(given);
    kept.remove(SbatchScriptVariables.FILES);
    return kept;
  }

  /** Returns the workload of a task with this program and arguments. */
  CommandWorkload workload(List<String> words) {
    return new CommandWorkload(
        words,
        environment(),
        request.or(WorkRows.WORKDIR, "/"),
        umask(),
        ContainerRows.terms(request),
        SubmissionRows.launch(request),
        new StandardStreamFields(request).terms());
  }

  private int umask() {
    String umask = request.get(WorkRows.UMASK);
    if (umask == null) {
      return USUAL_UMASK;
    }
    if (!umask.matches("[0-7]{1,4}")) {
      throw new IllegalArgumentException("umask must be octal digits, got '" + umask + "'");
    }
    return Integer.parseInt(umask, 8);
  }

  /** Returns the name of a job that runs these words: the stated one, or the program's. */
  String name(List<String> words) {
    String program = words.isEmpty() ? "" : words.get(0).replaceFirst(".*/(?=.)", "");
    String usual = request.has(WorkRows.SHELL) ? "sh" : asName(program);
    String chosen = request.or(WorkRows.NAME, usual);
    if (chosen.isBlank() || chosen.length() > mostName() || !PrintableText.isName(chosen)) {
      throw new IllegalArgumentException(
          "name must be 1 to "
              + mostName()
              + " printable characters, got "
              + ShortenedValues.quoted(chosen));
    }
    return chosen;
  }

  private static int mostName() {
    return WorkRows.NAME.limit().text();
  }

  /** Returns a printable job name for a program; file names may have any characters. */
  private static String asName(String program) {
    StringBuilder name = new StringBuilder();
    program
        .codePoints()
        .map(one -> PrintableText.isOfName(one) ? one : '?')
        .limit(mostName() / 2) // each may be two characters
        .forEach(name::appendCodePoint);
    return name.toString();
  }
}
