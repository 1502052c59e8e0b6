package io.remuda.coordinator.cli.job;

import io.remuda.agent.attempt.ThreadCountVariables;
import io.remuda.agent.protocol.SbatchScriptVariables;
import io.remuda.agent.settings.NotUtf8Exception;
import io.remuda.coordinator.cli.jobfile.SubmittingShellEnvironment;
import io.remuda.coordinator.cli.script.JobScript;
import io.remuda.coordinator.cli.script.PipedScript;
import io.remuda.coordinator.cli.script.ScriptDirectiveApplier;
import io.remuda.coordinator.cli.script.ScriptInvocation;
import io.remuda.coordinator.cli.script.ScriptLookup;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.sweep.IndexRanges;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** Gives a job whose command is a script the options in the script's head. */
final class JobScriptOptionsReader {

  static final String NO_COMMAND =
      "give a command after --, a file with jobs, or a script on stdin";

  private static final String SUBMIT_DIR = "SLURM_SUBMIT_DIR";

  /** The options that a script may give. */
  @Command
  private static final class OptionsOfScripts {
    @Mixin private JobOptions job = new JobOptions();
  }

  private JobScriptOptionsReader() {}

  /**
   * Finds the script and sets what it says, unless it was typed. Warns of options without meaning.
   *
   * @throws ParameterException if a directive is wrong
   */
  static void read(JobOptions job, CommandLine typed, PrintWriter err) {
    if (job.shell) {
      return;
    }
    Optional<ScriptInvocation> found;
    try {
      found = ScriptInvocation.of(job.command, lookup(job));
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(typed, wrong.getMessage(), wrong);
    }
    if (found.isPresent()) {
      String folder = job.folder();
      int afterScript = job.command.size();
      use(found.get(), job, typed, err);
      if (!job.folder().equals(folder)) { // a directive has moved the job, not the script
        List<String> command = new ArrayList<>(job.command);
        command.set(command.size() - afterScript, found.get().script().file().toString());
        job.command = command;
      }
    }
  }

  /**
   * Reads the script from a stream, for a job that has no command, and sets what it says.
   *
   * @throws ParameterException if there is none, or one that cannot be run so
   */
  static void readFrom(InputStream in, JobOptions job, CommandLine typed, PrintWriter err) {
    Optional<ScriptInvocation> found;
    try {
      found = PipedScript.read(in);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(typed, wrong.getMessage(), wrong);
    } catch (IOException unreadable) {
      throw new ParameterException(
          typed, "cannot read a script from stdin: " + unreadable.getMessage(), unreadable);
    }
    use(found.orElseThrow(() -> new ParameterException(typed, NO_COMMAND)), job, typed, err);
  }

  private static void use(
      ScriptInvocation found, JobOptions job, CommandLine typed, PrintWriter err) {
    ScriptDirectiveApplier.Remarks head =
        new ScriptDirectiveApplier(
                found.script(), typed, () -> new CommandLine(new OptionsOfScripts()))
            .apply();
    job.command = found.command();
    job.name = job.name == null ? found.script().name() : job.name;
    head.warnings().forEach(warning -> warn(warning, err));
    if (head.threads() > 0) {
      limitThreads(head.threads(), job);
    }
    Map<String, String> stated = new HashMap<>(head.variables());
    stated.putAll(ofArray(job));
    giveSlurmVariables(found.script(), stated, job, err);
  }

  /** Returns what Slurm says of an array; a wrong one is refused by the server. */
  private static Map<String, String> ofArray(JobOptions job) {
    try {
      IndexRanges indices =
          IndexRanges.parse(((String) job.sweep.fields().getOrDefault("array", "")).split("%")[0]);
      int least = IntStream.range(0, indices.size()).map(indices::get).min().orElse(0);
      return Map.of(
          "SLURM_ARRAY_TASK_MIN",
          Integer.toString(least),
          "SLURM_ARRAY_TASK_MAX",
          Integer.toString(indices.greatest()));
    } catch (IllegalArgumentException noArray) {
      return Map.of();
    }
  }

  /** Has each task that the script starts use its own part of the CPUs, unless the user says. */
  private static void limitThreads(int threads, JobOptions job) {
    Map<String, String> shell = SubmittingShellEnvironment.of(job.caller()).environment();
    ThreadCountVariables.NAMES.stream()
        .filter(name -> !shell.containsKey(name))
        .forEach(name -> job.env.putIfAbsent(name, Integer.toString(threads)));
  }

  private static void warn(String warning, PrintWriter err) {
    err.println("remuda: warning: " + PrintableText.of(warning) + " (docs/scripts.md)");
    err.flush();
  }

  /** Has the tasks find the variables of Slurm that the script names. */
  private static void giveSlurmVariables(
      JobScript script, Map<String, String> stated, JobOptions job, PrintWriter err) {
    List<String> unknown = new ArrayList<>(script.slurmVariables());
    unknown.stream()
        .filter(stated::containsKey)
        .forEach(name -> job.env.putIfAbsent(name, stated.get(name)));
    unknown.removeAll(stated.keySet());
    List<String> known = unknown.stream().filter(SbatchScriptVariables.KNOWN::contains).toList();
    unknown.removeAll(known);
    if (unknown.remove(SUBMIT_DIR)) {
      job.env.putIfAbsent(SUBMIT_DIR, shellFolder(job).toString());
    }
    if (!known.isEmpty()) {
      job.env.putIfAbsent(SbatchScriptVariables.WANTED, String.join(",", known));
    }
    if (!unknown.isEmpty()) {
      warn(
          script.name() + ": these variables are not set here: " + String.join(", ", unknown), err);
    }
  }

  private static ScriptLookup lookup(JobOptions job) {
    String path =
        job.env.getOrDefault(
            "PATH", SubmittingShellEnvironment.of(job.caller()).environment().get("PATH"));
    return new ScriptLookup(
        shellFolder(job), Path.of(job.folder()), path == null ? ScriptLookup.DEFAULT_PATH : path);
  }

  /** Returns the shell's folder, or the job's if no job could carry the name of the shell's. */
  private static Path shellFolder(JobOptions job) {
    try {
      return Path.of(job.caller().folder());
    } catch (NotUtf8Exception unspeakable) {
      return Path.of(job.folder());
    }
  }
}
