package io.remuda.coordinator.history;

import io.remuda.coordinator.curve.TaskCurve;
import io.remuda.coordinator.curve.TaskCurves;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes small curves of the readings of attempts that have ended, from what the history has of
 * them. Many are read at once, some seconds after their end, since each time files are read. Not
 * thread-safe.
 */
final class EndedTaskReadings {

  private static final Logger LOG = LoggerFactory.getLogger(EndedTaskReadings.class);

  /** Attempts that are read at once. */
  private static final int AT_ONCE = 128;

  /** Seconds for which an ended attempt waits for others. */
  private static final int WAIT_SECONDS = 15;

  /** Attempts that wait; of further ones no readings are kept. */
  private static final int MOST_WAITING = 20_000;

  private static final int READ_POINTS = 1500;

  /** Seconds after a fault of a file in which nothing is tried. */
  private static final int PAUSE_SECONDS = 60;

  /** Faults in a row after which attempts are kept without readings. */
  private static final int MOST_FAULTS = 3;

  /** Since when an attempt has readings, in seconds since 1970; 0 if from before this server. */
  private final Map<String, Long> since = new HashMap<>();

  private final Map<String, Long> waiting = new LinkedHashMap<>(); // with the second of their end
  private final HistoryStore store;
  private boolean looked;
  private boolean full;
  private long pausedAt = -PAUSE_SECONDS; // when a file had a fault, in seconds since 1970
  private int faults;

  EndedTaskReadings(HistoryStore store) {
    this.store = store;
  }

  /**
   * Learns what runs.
   *
   * @param read attempts of which there are readings now
   * @param placed attempts that have a place
   * @param reported attempts that have reported something and have ended
   */
  void look(Set<String> read, Set<String> placed, Set<String> reported, long second) {
    if (!looked) {
      looked = true;
      try {
        store.newest(SeriesKind.TASK).forEach(key -> since.put(key.name(), 0L));
      } catch (IOException fault) {
        LOG.warn("tasks that ended with the last server have no readings: {}", fault.toString());
      }
    }
    read.forEach(attempt -> since.putIfAbsent(attempt, second));
    reported.forEach(attempt -> add(attempt, second));
    for (Iterator<String> all = since.keySet().iterator(); all.hasNext(); ) {
      String attempt = all.next();
      if (!placed.contains(attempt) && !add(attempt, second)) {
        all.remove();
      }
    }
  }

  /** Adds an attempt that has ended; returns whether there is room. */
  private boolean add(String attempt, long second) {
    if (waiting.size() < MOST_WAITING) {
      waiting.putIfAbsent(attempt, second);
      return true;
    }
    if (!full) {
      full = true;
      LOG.warn("more than {} tasks have ended at once: some have no curve", MOST_WAITING);
    }
    return false;
  }

  /**
   * Returns the readings of attempts whose turn it is; an empty list for one that has none. After a
   * fault of a file they come later, and at last without readings.
   */
  Map<String, List<TaskCurves.Reading>> due(long second) {
    boolean due =
        waiting.size() >= AT_ONCE
            || (!waiting.isEmpty() && waiting.values().iterator().next() + WAIT_SECONDS <= second);
    if (!due || Math.abs(second - pausedAt) < PAUSE_SECONDS) {
      return Map.of();
    }
    full = false;
    List<String> next = next();
    try {
      Map<String, List<TaskCurves.Reading>> read = read(next, second);
      faults = 0;
      return read;
    } catch (IOException fault) {
      faults++;
      if (faults < MOST_FAULTS) {
        pausedAt = second;
        return Map.of();
      }
      faults = 0;
      LOG.warn("{} ended tasks are kept without readings: {}", next.size(), fault.toString());
      return next.stream().collect(Collectors.toMap(name -> name, name -> List.of()));
    }
  }

  private List<String> next() {
    return waiting.keySet().stream().limit(AT_ONCE).toList();
  }

  /** Notes that what was due is kept. */
  void kept(Set<String> attempts) {
    waiting.keySet().removeAll(attempts);
    since.keySet().removeAll(attempts);
  }

  /** Has nothing tried for a time if some of what was due is not kept. */
  void laterIfLeft(Set<String> due, long second) {
    if (due.stream().anyMatch(waiting::containsKey)) {
      pausedAt = second;
    }
  }

  private Map<String, List<TaskCurves.Reading>> read(List<String> attempts, long now)
      throws IOException {
    find(attempts.stream().filter(one -> since.getOrDefault(one, now) == 0).toList(), now);
    Map<String, List<TaskCurves.Reading>> all = new HashMap<>();
    attempts.forEach(attempt -> all.put(attempt, List.of()));
    Map<HistoryTier, List<String>> byTier = new LinkedHashMap<>();
    for (String attempt : attempts) {
      if (since.containsKey(attempt)) {
        long from = since.get(attempt);
        byTier
            .computeIfAbsent(store.tier(from, now, now, READ_POINTS), none -> new ArrayList<>())
            .add(attempt);
      }
    }
    for (Map.Entry<HistoryTier, List<String>> tier : byTier.entrySet()) {
      long from = tier.getValue().stream().mapToLong(since::get).min().orElse(now);
      List<SeriesKey> keys =
          tier.getValue().stream().map(name -> new SeriesKey(SeriesKind.TASK, name)).toList();
      Set<HistoryMetric> metrics = Set.copyOf(SeriesKind.TASK.metrics());
      for (HistoryCurve curve :
          store.read(keys, metrics, tier.getKey(), from, now + 1, Integer.MAX_VALUE)) {
        TaskCurves.Reading reading = small(curve);
        if (reading != null) {
          all.compute(
              curve.key().name(),
              (name, before) -> {
                List<TaskCurves.Reading> more = new ArrayList<>(before);
                more.add(reading);
                return more;
              });
        }
      }
    }
    return all;
  }

  /**
   * Finds since when there are readings of attempts that ran before this server: file by file, from
   * the newest back to the first that has them.
   */
  private void find(List<String> attempts, long now) throws IOException {
    Map<String, Long> files = new HashMap<>(); // the first second of the file with its begin
    Set<String> goOn = new HashSet<>(attempts);
    int file = HistoryTier.MINUTE.segmentSeconds();
    long oldest = HistoryStore.oldest(HistoryTier.MINUTE, now);
    for (long from = now - now % file; from > oldest && !goOn.isEmpty(); from -= file) {
      Set<SeriesKey> there = store.keys(SeriesKind.TASK, HistoryTier.MINUTE, from, from + file);
      for (String attempt : List.copyOf(goOn)) {
        if (there.contains(new SeriesKey(SeriesKind.TASK, attempt))) {
          files.put(attempt, from);
        } else if (!there.isEmpty() && files.containsKey(attempt)) {
          goOn.remove(attempt);
        }
      }
    }
    Map<Long, List<String>> byFile = new HashMap<>();
    files.forEach((name, from) -> byFile.computeIfAbsent(from, f -> new ArrayList<>()).add(name));
    for (Map.Entry<Long, List<String>> some : byFile.entrySet()) {
      first(some.getValue(), HistoryTier.MINUTE, some.getKey(), some.getKey() + file);
    }
    List<String> left = attempts.stream().filter(attempt -> since.get(attempt) == 0).toList();
    if (!left.isEmpty()) { // less than a minute
      long seconds = HistoryStore.oldest(HistoryTier.SECOND, now);
      first(left, HistoryTier.SECOND, seconds, now + 1);
      left.forEach(attempt -> since.computeIfPresent(attempt, (one, at) -> at == 0 ? now : at));
    }
  }

  /** Notes the first readings of attempts in a time. */
  private void first(List<String> attempts, HistoryTier tier, long from, long to)
      throws IOException {
    List<SeriesKey> keys =
        attempts.stream().map(name -> new SeriesKey(SeriesKind.TASK, name)).toList();
    Set<HistoryMetric> memory = Set.of(HistoryMetric.TASK_MEMORY);
    for (HistoryCurve curve : store.read(keys, memory, tier, from, to, Integer.MAX_VALUE)) {
      int point = 0;
      while (point < curve.mean().length && Double.isNaN(curve.mean()[point])) {
        point++;
      }
      if (point < curve.mean().length) {
        since.put(curve.key().name(), curve.start() + (long) point * curve.step());
      }
    }
  }

  /** Returns the part of a curve that has values, in few points; null if none has. */
  private static TaskCurves.Reading small(HistoryCurve curve) {
    int first = 0;
    int end = curve.mean().length;
    while (first < end && Double.isNaN(curve.mean()[first])) {
      first++;
    }
    while (end > first && Double.isNaN(curve.mean()[end - 1])) {
      end--;
    }
    if (first == end) {
      return null;
    }
    HistoryCurve few = curve.part(first, end);
    few = few.thinned((end - first + TaskCurve.MOST - 1) / TaskCurve.MOST);
    return new TaskCurves.Reading(
        curve.metric().label(),
        few.start(),
        few.step(),
        floats(few.mean()),
        floats(few.minimum()),
        floats(few.maximum()));
  }

  private static float[] floats(double[] values) {
    float[] floats = new float[values.length];
    for (int index = 0; index < values.length; index++) {
      floats[index] = (float) values[index];
    }
    return floats;
  }
}
