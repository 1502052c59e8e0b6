package io.remuda.coordinator.cli.script;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A command whose first word is a script.
 *
 * @param script its head
 * @param command the words to run
 */
public record ScriptInvocation(JobScript script, List<String> command) {

  public ScriptInvocation {
    command = List.copyOf(command);
  }

  /**
   * Returns the command if its first word is a script, which then may lack the right to execute it
   * if its first line names an interpreter.
   *
   * @throws IllegalArgumentException if a directive in its head is malformed
   */
  public static Optional<ScriptInvocation> of(List<String> words, ScriptLookup lookup) {
    return words.isEmpty()
        ? Optional.empty()
        : lookup.script(words.get(0)).flatMap(file -> of(words, file, lookup));
  }

  private static Optional<ScriptInvocation> of(List<String> words, Path file, ScriptLookup lookup) {
    JobScript script;
    try {
      script = JobScript.read(file);
    } catch (IOException unreadable) {
      return Optional.empty(); // a program may be executable and not readable
    }
    boolean executable = Files.isExecutable(file);
    if (!executable && script.interpreter().isEmpty()) {
      return Optional.empty();
    }
    List<String> command = new ArrayList<>();
    if (!executable) {
      command.addAll(script.interpreter());
    }
    boolean path = words.get(0).indexOf('/') >= 0;
    command.add(path ? words.get(0) : lookup.pathOf(file));
    command.addAll(words.subList(1, words.size()));
    return Optional.of(new ScriptInvocation(script, command));
  }
}
