package io.remuda.coordinator.rest.view;

import io.remuda.coordinator.api.LiveJobProgress;
import io.remuda.coordinator.store.query.EndedJobNodes;
import io.remuda.coordinator.store.query.OnlyTaskEnds;
import io.remuda.coordinator.store.query.TaskCounts;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.JobId;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CompletionStage;

/**
 * How far jobs are. The coordinator knows it of live jobs; of those that have ended it is counted
 * in the store, and kept for the next time, because it does not change. Thread-safe.
 */
public final class JobProgressReader {

  /** Number of ended jobs whose counts are kept. */
  private static final int MOST_KEPT = 2000;

  private final RestBackend backend;

  private final Map<JobRow, LiveJobProgress> ended =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<JobRow, LiveJobProgress> eldest) {
              return size() > MOST_KEPT;
            }
          });

  public JobProgressReader(RestBackend backend) {
    this.backend = backend;
  }

  /** Returns how far these jobs are. */
  public CompletionStage<Map<JobId, LiveJobProgress>> of(List<JobRow> rows) {
    List<JobId> live =
        rows.stream().filter(row -> !row.state().isFinal()).map(JobRow::id).distinct().toList();
    return backend.look(live).thenCompose(views -> withOthers(rows, views));
  }

  /** Adds the jobs that have ended, some of them since their rows were read. */
  private CompletionStage<Map<JobId, LiveJobProgress>> withOthers(
      List<JobRow> rows, Map<JobId, LiveJobProgress> live) {
    return backend.query(
        reader -> {
          Map<JobId, LiveJobProgress> all = new HashMap<>(live);
          Set<JobRow> unknown = new LinkedHashSet<>();
          for (JobRow row : rows) {
            LiveJobProgress known = all.containsKey(row.id()) ? all.get(row.id()) : ended.get(row);
            if (known == null) {
              unknown.add(row);
            } else {
              all.put(row.id(), known);
            }
          }
          Map<JobId, SortedSet<String>> nodes = EndedJobNodes.of(List.copyOf(unknown), reader);
          Map<JobId, OnlyTaskEnds.End> ends = OnlyTaskEnds.of(unknown, reader);
          for (JobRow row : unknown) {
            OnlyTaskEnds.End end = ends.getOrDefault(row.id(), OnlyTaskEnds.End.UNKNOWN);
            LiveJobProgress read =
                LiveJobProgress.ended(
                    TaskCounts.of(row, reader),
                    nodes.get(row.id()),
                    row.exitCode() == null ? end.signal() : null,
                    end.ranMillis());
            if (row.state().isFinal()) {
              ended.put(row, read);
            }
            all.put(row.id(), read);
          }
          return all;
        });
  }
}
