package io.remuda.agent.keeper;

import java.util.List;
import java.util.Map;

/**
 * What the tasks of a job have in common when they are started. It is sent to a keeper once for
 * many tasks, and checked once. Compared by identity. Immutable.
 */
public final class SpawnTemplate {

  private final List<String> argv;
  private final Map<String, String> environment;
  private final String workingFolder;
  private final int umask;
  private final long size;

  /**
   * Checks and creates a template.
   *
   * @param argv program and arguments exactly as the program is to see them. A program without a
   *     slash is looked up in the {@code PATH} of the task's environment; a relative one starts at
   *     {@code workingFolder}.
   * @param environment complete but for the variables of the single task: nothing is inherited
   * @param workingFolder absolute, must exist; a text, since it may have characters that the locale
   *     of the agent lacks
   * @param umask of the process, or {@link SpawnRequest#OWN_UMASK} for the keeper's
   */
  public SpawnTemplate(
      List<String> argv, Map<String, String> environment, String workingFolder, int umask) {
    this.argv = List.copyOf(argv);
    this.environment = Map.copyOf(environment);
    this.workingFolder = workingFolder;
    this.umask = umask;
    if (this.argv.isEmpty() || this.argv.get(0).isEmpty()) {
      throw new IllegalArgumentException("argv: names no program");
    }
    this.argv.forEach(argument -> SpawnRequest.requireNoNul("argv", argument));
    SpawnRequest.requireVariables(this.environment);
    SpawnRequest.requireNoNul("workingFolder", workingFolder);
    if (!workingFolder.startsWith("/")) {
      throw new IllegalArgumentException("workingFolder: not absolute: " + workingFolder);
    }
    if (umask < SpawnRequest.OWN_UMASK || umask > 0777) {
      throw new IllegalArgumentException("umask: not 0 to 0777: " + umask);
    }
    this.size = sizeOf(this.argv, this.environment);
  }

  private static long sizeOf(List<String> argv, Map<String, String> environment) {
    long size = 0;
    for (String argument : argv) {
      size += argument.length();
    }
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      size += variable.getKey().length() + variable.getValue().length();
    }
    return size;
  }

  /** Returns the template with its program and folder only, for tasks that have been started. */
  SpawnTemplate slim() {
    return new SpawnTemplate(argv.subList(0, 1), Map.of(), workingFolder, umask);
  }

  public List<String> argv() {
    return argv;
  }

  public Map<String, String> environment() {
    return environment;
  }

  public String workingFolder() {
    return workingFolder;
  }

  public int umask() {
    return umask;
  }

  /** Returns the number of characters of its texts. */
  public long size() {
    return size;
  }
}
