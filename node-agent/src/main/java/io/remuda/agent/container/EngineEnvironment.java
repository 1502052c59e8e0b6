package io.remuda.agent.container;

import io.remuda.worker.job.CommandWorkload;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The environment of an engine: the task's variables, from which the engine takes those that go
 * into the container, and this agent's own for what directs the engine. By them the engine finds
 * the storage that the agent looks into as well.
 */
final class EngineEnvironment {

  /** Variables of a task that describe the machine that it was submitted from. */
  static final SortedSet<String> HOST_ONLY =
      new TreeSet<>(
          List.of(
              "PATH",
              "HOME",
              "SHELL",
              "PWD",
              "OLDPWD",
              "HOSTNAME",
              "TMPDIR",
              "TMP",
              "TEMP",
              "LD_LIBRARY_PATH",
              "LD_PRELOAD",
              "LD_AUDIT",
              "GLIBC_TUNABLES",
              "XDG_RUNTIME_DIR",
              "XDG_CONFIG_HOME",
              "XDG_DATA_HOME",
              "XDG_CACHE_HOME",
              "DBUS_SESSION_BUS_ADDRESS"));

  /** Beginnings of the names of variables that direct an engine. */
  private static final List<String> OF_ENGINES =
      List.of(
          "CONTAINERS_",
          "_CONTAINERS_",
          "CONTAINER_",
          "REGISTRY_AUTH_FILE",
          "DOCKER_",
          "PODMAN_",
          "STORAGE_",
          "APPTAINER",
          "SINGULARITY");

  private EngineEnvironment() {}

  private static boolean isOutside(String name) {
    return HOST_ONLY.contains(name) || isOfEngines(name);
  }

  /**
   * Returns the variables that a container is to get although an engine's program must not, by
   * name.
   */
  static SortedMap<String, String> chosen(CommandWorkload command) {
    SortedMap<String, String> chosen = new TreeMap<>();
    for (String name : command.container().variables()) {
      if (isOutside(name) && command.environment().containsKey(name)) {
        chosen.put(name, command.environment().get(name));
      }
    }
    return chosen;
  }

  /** Returns whether a variable directs an engine. */
  static boolean isOfEngines(String name) {
    return OF_ENGINES.stream().anyMatch(name::startsWith);
  }

  /** Returns the names of the variables that a container gets, besides those of {@link #chosen}. */
  static SortedSet<String> inside(Map<String, String> task) {
    SortedSet<String> names = new TreeSet<>(task.keySet());
    names.removeIf(EngineEnvironment::isOutside);
    return names;
  }

  /** Returns the environment of the engine's program. */
  static Map<String, String> of(Map<String, String> task, Map<String, String> agent) {
    Map<String, String> all = new TreeMap<>(task);
    all.keySet().removeIf(EngineEnvironment::isOutside);
    agent.forEach(
        (name, value) -> {
          if (isOutside(name)) {
            all.put(name, value);
          }
        });
    return all;
  }
}
