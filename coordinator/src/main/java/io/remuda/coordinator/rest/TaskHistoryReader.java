package io.remuda.coordinator.rest;

import io.remuda.coordinator.curve.TaskCurve;
import io.remuda.coordinator.curve.TaskCurves;
import io.remuda.coordinator.history.HistoryCurve;
import io.remuda.coordinator.history.HistoryMetric;
import io.remuda.coordinator.history.HistoryStore;
import io.remuda.coordinator.history.HistoryTier;
import io.remuda.coordinator.history.SeriesKey;
import io.remuda.coordinator.history.SeriesKind;
import io.remuda.coordinator.rest.answer.HistoryAnswer;
import io.remuda.coordinator.rest.query.HistoryQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What a question about tasks finds in their small curves, beside the history. */
final class TaskHistoryReader {

  private static final long MILLIS = 1000;
  private static final int COLUMNS = 4;

  private final HistoryStore store;
  private final List<TaskCurves> tasks;

  TaskHistoryReader(HistoryStore store, List<TaskCurves> tasks) {
    this.store = store;
    this.tasks = tasks;
  }

  /** Returns the question for the time from the first beginning of the tasks to their last end. */
  HistoryQuery whole(HistoryQuery query, long now) throws IOException {
    long first = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    for (TaskCurves task : tasks) {
      for (TaskCurve curve : task.reported().values()) {
        first = Math.min(first, curve.at(0) / MILLIS);
        end = Math.max(end, curve.at(curve.size() - 1) / MILLIS + 1);
      }
      for (TaskCurves.Reading reading : task.readings()) {
        first = Math.min(first, reading.start());
        end = Math.max(end, reading.start() + (long) reading.step() * reading.mean().length);
      }
    }
    if (!areAllKept()) {
      first = Math.min(first, begun(query, now));
      end = Math.max(end, now + 1);
    }
    return first == Long.MAX_VALUE
        ? query.within(query.to() - 1, query.to())
        : query.within(first, Math.max(first + 1, Math.min(end, query.to())));
  }

  private boolean areAllKept() {
    return !tasks.isEmpty() && tasks.stream().noneMatch(task -> task.readings().isEmpty());
  }

  /** Returns the time of the first reading of tasks in the history, or the largest long. */
  private long begun(HistoryQuery query, long now) throws IOException {
    long first = Long.MAX_VALUE;
    for (HistoryTier tier : List.of(HistoryTier.SECOND, HistoryTier.MINUTE)) {
      long from = HistoryStore.oldest(tier, now);
      List<SeriesKey> keys =
          store.keys(SeriesKind.TASK, tier, from, now + 1).stream()
              .filter(key -> query.wants(key.name()))
              .limit(COLUMNS) // tasks of a job begin together, or nearly so
              .toList();
      for (HistoryCurve curve :
          store.read(
              keys, Set.of(HistoryMetric.TASK_MEMORY), tier, from, now + 1, Integer.MAX_VALUE)) {
        for (int point = 0; point < curve.mean().length; point++) {
          if (!Double.isNaN(curve.mean()[point])) {
            first = Math.min(first, curve.start() + (long) point * curve.step());
            break;
          }
        }
      }
    }
    return first;
  }

  /** Returns the number of values of a task's reported curves in an answer. */
  long values(TaskCurves task, HistoryQuery query) {
    return task.reported().entrySet().stream()
        .filter(curve -> query.wantsReported(curve.getKey()))
        .mapToLong(curve -> (long) COLUMNS * Math.min(query.points(), curve.getValue().size()))
        .sum();
  }

  /** Returns whether the answer is made of small curves: the history has no finer points. */
  boolean isKeptAlone(HistoryQuery query, List<SeriesKey> keys) {
    return query.kind() == SeriesKind.TASK
        && areAllKept()
        && tasks.stream()
            .map(task -> new SeriesKey(SeriesKind.TASK, task.attempt()))
            .toList()
            .containsAll(keys);
  }

  /** Returns what programs have reported. */
  List<HistoryAnswer.Series> reported(HistoryQuery query) {
    List<HistoryAnswer.Series> all = new ArrayList<>();
    for (TaskCurves task : tasks) {
      HistoryAnswer.Series told =
          HistoryAnswer.Series.reported(task, query::wantsReported, query.points());
      if (!told.reported().isEmpty() || !told.notes().isEmpty()) {
        all.add(told);
      }
    }
    return all;
  }

  /**
   * Adds the readings of tasks of which the history has nothing.
   *
   * @param found by the history, at least one
   */
  void addKept(HistoryQuery query, List<SeriesKey> keys, List<HistoryCurve> found) {
    HistoryCurve like = found.get(0);
    for (TaskCurves task : tasks) {
      if (!keys.contains(new SeriesKey(SeriesKind.TASK, task.attempt()))) {
        found.addAll(curves(task, query, like.start(), like.step(), like.mean().length));
      }
    }
  }

  private static List<HistoryCurve> curves(
      TaskCurves task, HistoryQuery query, long start, int step, int count) {
    SeriesKey key = new SeriesKey(SeriesKind.TASK, task.attempt());
    List<HistoryCurve> curves = new ArrayList<>();
    for (TaskCurves.Reading reading : task.readings()) {
      for (HistoryMetric metric : SeriesKind.TASK.metrics()) {
        if (metric.label().equals(reading.metric()) && query.metrics().contains(metric)) {
          curves.add(HistoryCurve.of(key, metric, reading, start, step, count));
        }
      }
    }
    return curves;
  }

  /** Returns an answer that is made of small curves. */
  HistoryAnswer answer(HistoryQuery query) {
    long length = query.to() - query.from();
    int step =
        tasks.stream()
            .flatMap(task -> task.readings().stream())
            .mapToInt(TaskCurves.Reading::step)
            .min()
            .orElse(1);
    while ((length + step - 1) / step > query.points()) {
      step *= 2;
    }
    int count = (int) Math.max(1, (length + step - 1) / step);
    List<HistoryCurve> curves = new ArrayList<>();
    for (TaskCurves task : tasks) {
      curves.addAll(curves(task, query, query.from(), step, count));
    }
    return HistoryAnswer.of(curves, query.from(), false, Long.MAX_VALUE, reported(query));
  }
}
