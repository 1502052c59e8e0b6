package io.remuda.agent.keeper;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A request to start a task.
 *
 * @param key names the attempt, as "12/3.0.1"; unique, at most 200 printable ASCII characters
 *     without '=' or blanks. The process also gets it as {@code REMUDA_TASK_KEY}.
 * @param argv program and arguments exactly as the program is to see them. A program without a
 *     slash is looked up in the {@code PATH} of {@code environment}; a relative one starts at
 *     {@code workingFolder}.
 * @param environment complete: nothing is inherited; {@code REMUDA_TASK_KEY} and {@code
 *     REMUDA_KEEPER} are added
 * @param workingFolder absolute, must exist; a text, since it may have characters that the locale
 *     of the agent lacks
 * @param stdout absolute; appended to, or created with mode 0600; may be the same as stderr
 * @param stderr like stdout
 * @param taskFolder absolute; the exit record is written here
 * @param deviceLocks UUIDs of the devices to lock; held until its whole process tree is gone. Tasks
 *     of one keeper may share a device, since one ledger assigns it
 * @param contactMillis contact deadline: the tree is killed if it is not renewed for this long; 0
 *     for none
 * @param graceMillis between SIGTERM and SIGKILL when the keeper itself has to end it; 0 for
 *     SIGKILL at once
 * @param umask of the process, or {@link #OWN_UMASK} for the keeper's
 * @param slot held by one task at a time: the task starts when no other of the slot is left; 0 to
 *     start at once
 * @param signal number of a signal that its first process gets, or 0 for none
 * @param signalAfterMillis from the start to that signal
 */
public record SpawnRequest(
    String key,
    List<String> argv,
    Map<String, String> environment,
    String workingFolder,
    Path stdout,
    Path stderr,
    Path taskFolder,
    List<String> deviceLocks,
    long contactMillis,
    long graceMillis,
    int umask,
    long slot,
    int signal,
    long signalAfterMillis) {

  /** Gives the process the keeper's umask. */
  public static final int OWN_UMASK = -1;

  private static final int LAST_SIGNAL = 64;

  /** Uses the keeper's umask and no slot. */
  public SpawnRequest(
      String key,
      List<String> argv,
      Map<String, String> environment,
      Path workingFolder,
      Path stdout,
      Path stderr,
      Path taskFolder,
      List<String> deviceLocks,
      long contactMillis,
      long graceMillis) {
    this(
        key,
        argv,
        environment,
        workingFolder.toString(),
        stdout,
        stderr,
        taskFolder,
        deviceLocks,
        contactMillis,
        graceMillis,
        OWN_UMASK,
        0,
        0,
        0);
  }

  public SpawnRequest {
    argv = List.copyOf(argv);
    environment = Map.copyOf(environment);
    deviceLocks = List.copyOf(deviceLocks);
    requireKey(key);
    if (argv.isEmpty() || argv.get(0).isEmpty()) {
      throw new IllegalArgumentException("argv: names no program");
    }
    for (String argument : argv) {
      requireNoNul("argv", argument);
    }
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      requireNoNul("environment", variable.getKey());
      requireNoNul("environment", variable.getValue());
      if (variable.getKey().isEmpty() || variable.getKey().indexOf('=') >= 0) {
        throw new IllegalArgumentException("environment: bad name '" + variable.getKey() + "'");
      }
    }
    requireNoNul("workingFolder", workingFolder);
    if (!workingFolder.startsWith("/")) {
      throw new IllegalArgumentException("workingFolder: not absolute: " + workingFolder);
    }
    requireAbsolute("stdout", stdout);
    requireAbsolute("stderr", stderr);
    requireAbsolute("taskFolder", taskFolder);
    requireNotNegative("contactMillis", contactMillis);
    requireNotNegative("graceMillis", graceMillis);
    requireNotNegative("slot", slot);
    requireNotNegative("signalAfterMillis", signalAfterMillis);
    if (signal < 0 || signal > LAST_SIGNAL) {
      throw new IllegalArgumentException("signal: not 0 to " + LAST_SIGNAL + ": " + signal);
    }
    if (umask < OWN_UMASK || umask > 0777) {
      throw new IllegalArgumentException("umask: not 0 to 0777: " + umask);
    }
  }

  static void requireKey(String key) {
    boolean good = !key.isEmpty() && key.length() <= 200;
    for (int i = 0; good && i < key.length(); i++) {
      char c = key.charAt(i);
      good = c > ' ' && c < 0x7f && c != '=';
    }
    if (!good) {
      throw new IllegalArgumentException("key: not 1-200 printable characters: '" + key + "'");
    }
  }

  private static void requireNoNul(String field, String text) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(field + ": holds a NUL character");
    }
  }

  static void requireAbsolute(String field, Path path) {
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException(field + ": not absolute: " + path);
    }
  }

  private static void requireNotNegative(String field, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(field + ": negative: " + value);
    }
  }
}
