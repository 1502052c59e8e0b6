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
public final class EndedJobNodes {

  /** Number of tasks of a job, its last ones, whose nodes are read: it may have a million. */
  private static final int TASKS = 32;

  /** A subquery for each job, because PostgreSQL reads the whole table for a join. */
  private static final String SELECT =
      "SELECT id, (SELECT string_agg(node, '\n') FROM (SELECT node FROM tasks WHERE job = jobs.id"
          + " AND node IS NOT NULL ORDER BY idx DESC LIMIT "
          + TASKS
          + ") AS last) FROM jobs WHERE id IN (";

  /**
   * The nodes of one job.
   *
   * @param lines a name on each, null for none
   */
  private record Last(JobId job, String lines) {
    private List<String> names() {
      return lines == null ? List.of() : lines.lines().toList();
    }
  }

  private EndedJobNodes() {}

  /** Returns the names of the nodes where the last tasks of each of these jobs were. */
  public static Map<JobId, SortedSet<String>> of(List<JobRow> jobs, StoreReader reader)
      throws IOException {
    Map<JobId, SortedSet<String>> nodes = new HashMap<>();
    jobs.forEach(job -> nodes.put(job.id(), new TreeSet<>()));
    if (!jobs.isEmpty()) {
      reader
          .query(
              SELECT + String.join(", ", Collections.nCopies(jobs.size(), "?")) + ")",
              row -> new Last(new JobId(row.getLong(1)), row.getString(2)),
              jobs.stream().map(job -> (Object) job.id().value()).toArray())
          .forEach(last -> nodes.get(last.job()).addAll(last.names()));
    }
    return nodes;
  }
}
