package io.remuda.coordinator.cli.script;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The long names of sbatch's options (22.05), their second names and their abbreviations. */
final class SbatchOptionNames {

  /** All of them, in alphabetical order. */
  private static final TreeSet<String> ALL =
      new TreeSet<>(
          List.of(
              ("account acctg-freq array batch bb bbf begin chdir cluster cluster-constraint clusters"
                      + " comment constraint container contiguous core-spec cores-per-socket"
                      + " cpu-freq cpus-per-gpu cpus-per-task deadline delay-boot dependency"
                      + " distribution error exclude exclusive export export-file extra-node-info"
                      + " get-user-env gid gpu-bind gpu-freq gpus gpus-per-node gpus-per-socket"
                      + " gpus-per-task gres gres-flags help hint hold ignore-pbs input job-name"
                      + " kill-on-invalid-dep licenses mail-type mail-user mcs-label mem mem-bind"
                      + " mem-per-cpu mem-per-gpu mincpus network nice no-kill no-requeue nodefile"
                      + " nodelist nodes ntasks ntasks-per-core ntasks-per-gpu ntasks-per-node"
                      + " ntasks-per-socket open-mode output overcommit oversubscribe parsable"
                      + " partition power prefer priority profile propagate qos quiet reboot requeue"
                      + " reservation signal sockets-per-node spread-job switches tasks-per-node"
                      + " test-only thread-spec threads-per-core time time-min tmp tres-per-task uid"
                      + " usage use-min-nodes verbose version wait wait-all-nodes wckey wrap")
                  .split(" ")));

  private static final Map<String, String> SECOND =
      Map.of("tasks-per-node", "ntasks-per-node", "cluster", "clusters");

  private SbatchOptionNames() {}

  /** Returns whether sbatch has an option of this name. */
  static boolean include(String name) {
    return ALL.contains(name);
  }

  /**
   * Returns the option that a word means: its name, a second one, or what begins so if nothing else
   * does; the word itself if no option begins so.
   *
   * @throws IllegalArgumentException if several options begin so
   */
  static String whole(String word) {
    List<String> meant =
        ALL.contains(word)
            ? List.of(word)
            : ALL.tailSet(word).stream().takeWhile(name -> name.startsWith(word)).toList();
    List<String> different =
        meant.stream().map(name -> SECOND.getOrDefault(name, name)).distinct().toList();
    if (different.size() > 1) {
      throw new IllegalArgumentException(
          "--" + word + " may be --" + String.join(" or --", different) + ": write it whole");
    }
    return different.isEmpty() ? word : different.get(0);
  }
}
