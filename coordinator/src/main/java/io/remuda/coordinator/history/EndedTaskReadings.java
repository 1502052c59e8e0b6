package io.remuda.coordinator.history;

import io.remuda.coordinator.curve.TaskCurve;
import io.remuda.coordinator.curve.TaskCurves;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /** Since when an attempt has readings, in seconds since 1970; 0 if from before this server. */
  private final Map<String, Long> since = new HashMap<>();

  private final Map<String, Long> waiting = new LinkedHashMap<>(); // with the second of their end
  private final HistoryStore store;
  private boolean looked;
  private boolean full;

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
  void look(Set<String> read, Set<String> placed, Set<String> reported, long second)
      throws IOException {
    if (!looked) {
      looked = true;
      for (SeriesKey key : store.newest(SeriesKind.TASK)) {
        since.put(key.name(), 0L);
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

  /** Returns the readings of attempts whose turn it is; an empty list for one that has none. */
  Map<String, List<TaskCurves.Reading>> due(long second) throws IOException {
    boolean due =
        waiting.size() >= AT_ONCE
            || (!waiting.isEmpty() && waiting.values().iterator().next() + WAIT_SECONDS <= second);
    if (!due) {
      return Map.of();
    }
    full = false;
    return read(next(), second);
  }

  private List<String> next() {
    return waiting.keySet().stream().limit(AT_ONCE).toList();
  }

  /** Notes that what was due is kept. */
  void kept(Set<String> attempts) {
    waiting.keySet().removeAll(attempts);
    since.keySet().removeAll(attempts);
  }

  private Map<String, List<TaskCurves.Reading>> read(List<String> attempts, long now)
      throws IOException {
    Map<String, List<TaskCurves.Reading>> all = new HashMap<>();
    attempts.forEach(attempt -> all.put(attempt, List.of()));
    Map<HistoryTier, List<String>> byTier = new LinkedHashMap<>();
    for (String attempt : attempts) {
      if (since.containsKey(attempt)) {
        long from = from(attempt, now);
        since.put(attempt, from);
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

  /** Returns since when there are readings of an attempt. */
  private long from(String attempt, long now) throws IOException {
    long known = since.get(attempt);
    if (known != 0) {
      return known;
    }
    SeriesKey key = new SeriesKey(SeriesKind.TASK, attempt);
    long oldest = HistoryStore.oldest(HistoryTier.MINUTE, now);
    for (HistoryTier tier : List.of(HistoryTier.MINUTE, HistoryTier.SECOND)) {
      long from = Math.max(oldest, HistoryStore.oldest(tier, now));
      for (HistoryCurve curve :
          store.read(
              Set.of(key),
              Set.of(HistoryMetric.TASK_MEMORY),
              tier,
              from,
              now + 1,
              Integer.MAX_VALUE)) {
        for (int point = 0; point < curve.mean().length; point++) {
          if (!Double.isNaN(curve.mean()[point])) {
            return curve.start() + (long) point * curve.step();
          }
        }
      }
    }
    return now;
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
