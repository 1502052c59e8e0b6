package io.remuda.coordinator.cli.script;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Options of sbatch that change what a job does and cannot be followed, and those that need not.
 */
final class SbatchWithoutCounterpart {

  /** What to write instead, by option. */
  private static final Map<String, String> REFUSED =
      Map.of(
          "test-only",
          "sbatch would not run this script: leave it out, and call remuda submit --dry-run",
          "export-file",
          "write --export=ALL,NAME=VALUE, or #REMUDA --env NAME=VALUE",
          "container",
          "write #REMUDA --container with an image or a folder, and leave --container out",
          "nodefile",
          "write the names of the nodes in --nodelist",
          "gpus-per-socket",
          "write the number of GPUs in --gpus",
          "uid",
          "a job is the user's who submits it, and runs as the agent's account",
          "gid",
          "a job is the user's who submits it, and runs as the agent's account");

  /** Those that ask for what is so here anyway, or are about sbatch's own words. */
  private static final Set<String> SO_ANYWAY =
      Set.of(
          "ignore-pbs",
          "kill-on-invalid-dep=yes",
          "oversubscribe",
          "parsable",
          "propagate",
          "propagate=ALL",
          "quiet",
          "verbose",
          "wait-all-nodes",
          "wait-all-nodes=0",
          "wait-all-nodes=1");

  private SbatchWithoutCounterpart() {}

  /** Returns why an option is refused, and the way here. */
  static Optional<String> refusal(String name) {
    return Optional.ofNullable(REFUSED.get(name));
  }

  /** Returns whether nothing is to be done or said for an option. */
  static boolean isSoAnyway(String name, String value) {
    return SO_ANYWAY.contains(value.isEmpty() ? name : name + "=" + value);
  }
}
