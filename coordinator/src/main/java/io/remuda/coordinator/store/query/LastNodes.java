package io.remuda.coordinator.store.query;

import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Where jobs were that have ended. */
public final class LastNodes {

  /** Number of tasks of a job, its last ones, whose nodes are read: it may have a million. */
  private static final int TASKS = 32;

  private LastNodes() {}

  /** Returns the names of the nodes where the last tasks of each of these jobs were. */
  public static Map<JobId, SortedSet<String>> of(List<JobRow> jobs, StoreReader reader)
      throws IOException {
    Map<JobId, SortedSet<String>> nodes = new HashMap<>();
    jobs.forEach(job -> nodes.put(job.id(), new TreeSet<>()));
    if (!jobs.isEmpty()) {
      reader
          .query(
              "SELECT DISTINCT tasks.job, tasks.node FROM (SELECT id, (SELECT MAX(idx) FROM tasks"
                  + " WHERE job = jobs.id) AS last FROM jobs WHERE id IN ("
                  + String.join(", ", Collections.nCopies(jobs.size(), "?"))
                  + ")) AS asked JOIN tasks ON tasks.job = asked.id AND tasks.idx > asked.last - "
                  + TASKS
                  + " WHERE tasks.node IS NOT NULL",
              row -> Map.entry(new JobId(row.getLong(1)), row.getString(2)),
              jobs.stream().map(job -> (Object) job.id().value()).toArray())
          .forEach(found -> nodes.get(found.getKey()).add(found.getValue()));
    }
    return nodes;
  }
}
