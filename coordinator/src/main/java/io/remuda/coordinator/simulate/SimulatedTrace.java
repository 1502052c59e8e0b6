package io.remuda.coordinator.simulate;

import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The nodes and the jobs of a simulated schedule, from tables. */
final class SimulatedTrace {

  private static final int MOST_GPUS = 64;
  private static final int MOST_GPUS_OF_JOB = 10_000;

  /** More seconds than any trace has, and their milliseconds are exact. */
  private static final long MOST_SECONDS = 1_000_000_000_000L;

  private SimulatedTrace() {}

  /** Returns the number of GPUs of each node of a table {@code node,gpus}, in its order. */
  static Map<String, Integer> nodes(Path file, UnaryOperator<Path> finder)
      throws IOException, BadTableException {
    Map<String, Integer> nodes = new LinkedHashMap<>();
    Set<String> names = new HashSet<>();
    for (CsvTable.Row row : CsvTable.read(file, finder, List.of("node", "gpus")).rows()) {
      nodes.put(row.unique("node", names), (int) row.whole("gpus", 1, MOST_GPUS));
    }
    if (nodes.isEmpty()) {
      throw new BadTableException(file + ": it has no nodes below the heading");
    }
    return nodes;
  }

  /**
   * Returns the jobs of a table {@code id,arrival_s,duration_s,gpus,user} in the order of their
   * arrival.
   */
  static List<SimulatedJob> jobs(Path file, UnaryOperator<Path> finder, Map<String, Integer> nodes)
      throws IOException, BadTableException {
    int largest = nodes.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
    int all = nodes.values().stream().mapToInt(Integer::intValue).sum();
    CsvTable table =
        CsvTable.read(file, finder, List.of("id", "arrival_s", "duration_s", "gpus", "user"));
    List<SimulatedJob> jobs = new ArrayList<>();
    Set<String> names = new HashSet<>();
    long last = 0;
    for (CsvTable.Row row : table.rows()) {
      String name = row.unique("id", names);
      long arrival = row.millis("arrival_s", last, MOST_SECONDS, "not before the line above");
      long duration = row.millis("duration_s", 0, MOST_SECONDS, "0 or more");
      int gpus = (int) row.whole("gpus", 1, MOST_GPUS_OF_JOB);
      if (gpus > all || !fits(gpus, largest, nodes)) {
        throw row.wrong("gpus", "no more than the nodes have (" + all + " on as few as possible)");
      }
      String user = row.text("user").isEmpty() ? "-" : row.text("user");
      JobId id = new JobId(jobs.size() + 1L);
      jobs.add(SimulatedJob.of(name, id, arrival, duration, gpus, user, largest));
      last = arrival;
    }
    return jobs;
  }

  /** Returns whether as many nodes as possible are full, and one more has the rest. */
  private static boolean fits(int gpus, int largest, Map<String, Integer> nodes) {
    long full = nodes.values().stream().filter(has -> has == largest).count();
    int rest = gpus % largest;
    long more = full - gpus / largest;
    return more > 0
        || more == 0
            && (rest == 0 || nodes.values().stream().anyMatch(h -> h < largest && h >= rest));
  }
}
