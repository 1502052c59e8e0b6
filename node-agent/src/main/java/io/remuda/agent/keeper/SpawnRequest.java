package io.remuda.agent.keeper;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A request to start a task.
 *
 * @param key names the attempt, as "12/3.0.1"; unique, at most 200 printable ASCII characters
 *     without '=' or blanks. The process also gets it as {@code REMUDA_TASK_KEY}.
 * @param template what it has in common with other tasks
 * @param variables of this task alone, in place of the template's of the same name; {@code
 *     REMUDA_TASK_KEY} and {@code REMUDA_KEEPER} are added
 * @param stdout absolute; appended to, or created with mode 0600; may be the same as stderr
 * @param stderr like stdout
 * @param taskFolder absolute; the exit record is written here
 * @param deviceLocks UUIDs of the devices to lock; held until its whole process tree is gone. Tasks
 *     of one keeper may share a device, since one ledger assigns it
 * @param contactMillis contact deadline: the tree is killed if it is not renewed for this long; 0
 *     for none
 * @param graceMillis between SIGTERM and SIGKILL when the keeper itself has to end it; 0 for
 *     SIGKILL at once
 * @param slot held by one task at a time: the task starts when no other of the slot is left; 0 to
 *     start at once
 * @param signal number of a signal that it gets, or 0 for none
 * @param signalAfterMillis from the start to that signal
 * @param signalReach which of its processes get that signal
 * @param endingReach which of its processes SIGTERM asks to end
 */
public record SpawnRequest(
    String key,
    SpawnTemplate template,
    Map<String, String> variables,
    Path stdout,
    Path stderr,
    Path taskFolder,
    List<String> deviceLocks,
    long contactMillis,
    long graceMillis,
    long slot,
    int signal,
    long signalAfterMillis,
    ReachedProcesses signalReach,
    ReachedProcesses endingReach) {

  /** Gives the process the keeper's umask. */
  public static final int OWN_UMASK = -1;

  /** The variable of a task in a container that names its engine. */
  public static final String CONTAINER = "REMUDA_CONTAINER";

  /** The variable of a pinned task that names its CPUs; the keeper binds its process to them. */
  public static final String CPU_SET = "REMUDA_CPU_SET";

  private static final int LAST_SIGNAL = 64;

  /** Creates a request with a template of its own. */
  public SpawnRequest(
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
    this(
        key,
        new SpawnTemplate(argv, environment, workingFolder, umask),
        Map.of(),
        stdout,
        stderr,
        taskFolder,
        deviceLocks,
        contactMillis,
        graceMillis,
        slot,
        signal,
        signalAfterMillis);
  }

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

  /** Uses the usual reach of signals. */
  public SpawnRequest(
      String key,
      SpawnTemplate template,
      Map<String, String> variables,
      Path stdout,
      Path stderr,
      Path taskFolder,
      List<String> deviceLocks,
      long contactMillis,
      long graceMillis,
      long slot,
      int signal,
      long signalAfterMillis) {
    this(
        key,
        template,
        variables,
        stdout,
        stderr,
        taskFolder,
        deviceLocks,
        contactMillis,
        graceMillis,
        slot,
        signal,
        signalAfterMillis,
        ReachedProcesses.FIRST,
        ReachedProcesses.FIRST);
  }

  public SpawnRequest {
    Objects.requireNonNull(signalReach, "signalReach");
    Objects.requireNonNull(endingReach, "endingReach");
    Objects.requireNonNull(template, "template");
    variables = Map.copyOf(variables);
    deviceLocks = List.copyOf(deviceLocks);
    requireKey(key);
    requireVariables(variables);
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
  }

  /** Returns the program and its arguments. */
  public List<String> argv() {
    return template.argv();
  }

  /** Returns the folder in which it starts. */
  public String workingFolder() {
    return template.workingFolder();
  }

  /** Returns the value of a variable that the task will have, or null. */
  public String variable(String name) {
    String own = variables.get(name);
    return own != null ? own : template.environment().get(name);
  }

  /** Returns all variables of the task. */
  public Map<String, String> environment() {
    Map<String, String> all = new HashMap<>(template.environment());
    all.putAll(variables);
    return all;
  }

  /** Returns the request with what another template says, and no variables of its own. */
  public SpawnRequest with(SpawnTemplate other) {
    return new SpawnRequest(
        key,
        other,
        Map.of(),
        stdout,
        stderr,
        taskFolder,
        deviceLocks,
        contactMillis,
        graceMillis,
        slot,
        signal,
        signalAfterMillis,
        signalReach,
        endingReach);
  }

  /** Returns the request with another contact deadline, in ms; 0 for none. */
  public SpawnRequest withContact(long millis) {
    return new SpawnRequest(
        key,
        template,
        variables,
        stdout,
        stderr,
        taskFolder,
        deviceLocks,
        millis,
        graceMillis,
        slot,
        signal,
        signalAfterMillis,
        signalReach,
        endingReach);
  }

  /** Returns the request with what is needed of it once the task has been started. */
  public SpawnRequest slim() {
    String engine = variable(CONTAINER);
    return new SpawnRequest(
        key,
        template.slim(),
        engine == null ? Map.of() : Map.of(CONTAINER, engine),
        stdout,
        stderr,
        taskFolder,
        deviceLocks,
        contactMillis,
        graceMillis,
        slot,
        signal,
        signalAfterMillis,
        signalReach,
        endingReach);
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

  static void requireVariables(Map<String, String> environment) {
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      requireNoNul("environment", variable.getKey());
      requireNoNul("environment", variable.getValue());
      if (variable.getKey().isEmpty() || variable.getKey().indexOf('=') >= 0) {
        throw new IllegalArgumentException("environment: bad name '" + variable.getKey() + "'");
      }
    }
  }

  static void requireNoNul(String field, String text) {
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
