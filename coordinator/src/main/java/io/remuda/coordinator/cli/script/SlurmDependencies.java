package io.remuda.coordinator.cli.script;

import io.remuda.coordinator.api.NewJob;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What {@code --dependency} of sbatch says, turned into options of Remuda. */
final class SlurmDependencies {

  private static final Map<String, String> ENDS =
      Map.of("afterok", "ok", "afterany", "any", "afternotok", "fail", "aftercorr", "each");

  private SlurmDependencies() {}

  /**
   * Returns the values of {@code --after} or {@code --after-one-of}.
   *
   * @throws IllegalArgumentException if it says what is not possible here; to start without it
   *     would be wrong
   */
  static Map<String, String[]> of(String value) {
    boolean one = value.indexOf('?') >= 0;
    if (one && value.indexOf(',') >= 0) {
      throw new IllegalArgumentException(
          "'" + value + "' has commas, for all of the jobs, and question marks, for one of them");
    }
    List<String> jobs = new ArrayList<>();
    for (String item : value.split("[,?]")) {
      if (item.equals("singleton") && !one) {
        jobs.add(NewJob.NamedDependency.SINGLETON + ":any");
      } else {
        add(item, jobs);
      }
    }
    Map<String, String[]> all = new LinkedHashMap<>();
    all.put(one ? "--after-one-of" : "--after", jobs.toArray(String[]::new));
    return all;
  }

  private static void add(String item, List<String> jobs) {
    String[] parts = item.split(":");
    if (parts[0].equals("after") && parts.length > 1) {
      throw new IllegalArgumentException(
          "'"
              + item
              + "' waits for a start, and here a job waits for ends: write afterany, or --begin for"
              + " a time");
    }
    String end = ENDS.get(parts[0]);
    if (end == null || parts.length < 2) {
      throw new IllegalArgumentException(
          "'"
              + item
              + "' is not known here: afterok, afterany, afternotok and aftercorr of jobs are, and"
              + " singleton");
    }
    for (int i = 1; i < parts.length; i++) {
      if (parts[i].matches("\\d+_.*")) {
        throw new IllegalArgumentException(
            "'"
                + item
                + "' names a task, and a job waits for whole jobs: write "
                + parts[0]
                + ":"
                + parts[i].replaceFirst("_.*", "")
                + ", or aftercorr for task by task");
      }
      jobs.add(parts[i] + ":" + end);
    }
  }
}
