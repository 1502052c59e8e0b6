package io.remuda.worker.workload.mnist;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * Everything that the rest of a training depends on, as it is at the end of an epoch.
 *
 * @param settings what must be equal in the training that continues: network, optimiser, learning
 *     rate, gamma, batch sizes, seed, data
 * @param circumstances what should be equal, because other values can change the last bits of the
 *     numbers: device, number of threads, build of libtorch
 * @param rate learning rate of the next epoch, the only state of the schedule
 * @param reports the results of the epochs done, the first epoch first
 * @param states contents of the tensors and states of the random generators by name; the arrays are
 *     not copied and must not be modified
 */
record TrainingSnapshot(
    Map<String, String> settings,
    Map<String, String> circumstances,
    double rate,
    List<EpochReport> reports,
    Map<String, byte[]> states) {

  TrainingSnapshot {
    reports = List.copyOf(reports);
  }

  /** Returns the number of epochs done. */
  int epochsDone() {
    return reports.size();
  }

  /**
   * Returns where two tables differ, as in "seed is 2 in the snapshot and 1 in this training", or
   * an empty text.
   */
  static String differences(Map<String, String> snapshot, Map<String, String> training) {
    TreeSet<String> names = new TreeSet<>(snapshot.keySet());
    names.addAll(training.keySet());
    List<String> found = new ArrayList<>();
    for (String name : names) {
      String there = snapshot.get(name);
      String here = training.get(name);
      if (!Objects.equals(there, here)) {
        found.add(name + " is " + there + " in the snapshot and " + here + " in this training");
      }
    }
    return String.join(", ", found);
  }
}
