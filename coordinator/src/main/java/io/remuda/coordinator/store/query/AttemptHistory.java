package io.remuda.coordinator.store.query;

import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.EventLogEntry;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.SqlQueryRunner;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The earlier attempts of tasks, by the events of their job: the row of a task knows only the
 * newest.
 */
public final class AttemptHistory {

  /** Tasks of one query. */
  private static final int PORTION = 500;

  private AttemptHistory() {}

  /** Returns the earlier attempts of those tasks that had several, in order, by index. */
  public static Map<Integer, List<EarlierAttempt>> of(
      JobId job, List<TaskRow> tasks, StoreReader reader) throws IOException {
    List<TaskRow> several = tasks.stream().filter(task -> task.attempt() > 1).toList();
    Map<Integer, List<EarlierAttempt>> all = new HashMap<>();
    for (int from = 0; from < several.size(); from += PORTION) {
      List<TaskRow> some = several.subList(from, Math.min(several.size(), from + PORTION));
      Map<Integer, Map<Integer, EarlierAttempt>> read = read(job, some, reader);
      for (TaskRow task : some) {
        Map<Integer, EarlierAttempt> own =
            new TreeMap<>(read.getOrDefault(task.id().index(), Map.of()));
        own.keySet().removeIf(attempt -> attempt >= task.attempt());
        all.put(task.id().index(), new ArrayList<>(own.values()));
      }
    }
    return all;
  }

  /**
   * Returns the node of an attempt of a task.
   *
   * @param earlier its earlier attempts
   */
  public static String nodeOf(TaskRow task, int attempt, List<EarlierAttempt> earlier) {
    return earlier.stream()
        .filter(one -> one.attempt() == attempt && one.node() != null)
        .map(EarlierAttempt::node)
        .findFirst()
        .orElse(task.node());
  }

  private static Map<Integer, Map<Integer, EarlierAttempt>> read(
      JobId job, List<TaskRow> tasks, StoreReader reader) throws IOException {
    String indexes =
        tasks.stream().map(task -> "" + task.id().index()).collect(Collectors.joining(", "));
    List<EventLogEntry> events =
        reader.read(
            on ->
                SqlQueryRunner.all(
                    on,
                    "SELECT * FROM events WHERE job = ? AND task IN ("
                        + indexes
                        + ") ORDER BY sequence",
                    RowMapping.EVENTS::read,
                    job.value()));
    Map<Integer, Map<Integer, EarlierAttempt>> byTask = new HashMap<>();
    for (EventLogEntry event : events) {
      Map<String, Object> detail =
          reader.read(on -> RowMapping.detail(event)); // a damaged one is a fault of the store
      if (detail.get("attempt") instanceof Integer attempt) {
        byTask
            .computeIfAbsent(event.task(), task -> new HashMap<>())
            .merge(attempt, first(event, attempt, detail), AttemptHistory::later);
      }
    }
    return byTask;
  }

  private static EarlierAttempt first(
      EventLogEntry event, int attempt, Map<String, Object> detail) {
    boolean runs = event.what().equals("task-running");
    boolean begins = runs || event.what().equals("task-starting");
    return new EarlierAttempt(
        event.task(),
        attempt,
        (String) detail.get("node"),
        begins ? event.at() : 0,
        begins ? 0 : event.at(),
        begins ? null : (String) detail.get("cause"));
  }

  private static EarlierAttempt later(EarlierAttempt known, EarlierAttempt next) {
    return new EarlierAttempt(
        known.task(),
        known.attempt(),
        known.node() == null ? next.node() : known.node(),
        next.started() == 0 ? known.started() : next.started(),
        next.ended() == 0 ? known.ended() : next.ended(),
        next.cause() == null ? known.cause() : next.cause());
  }
}
