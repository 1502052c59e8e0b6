package io.remuda.coordinator.history;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Readings over time, in three resolutions: see {@link HistoryTier}. A second is kept in memory
 * until its frame is written, at most 15 s. After a crash the coarser points are computed again
 * from the written seconds. If a file cannot be written, its points are missing, and nothing else.
 * Writing is for one thread; reading for any.
 */
public final class HistoryStore implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(HistoryStore.class);
  private static final HistoryTier[] TIERS = HistoryTier.values();

  /** A gap of more seconds begins anew: its points would all be absent. */
  private static final long LONG_GAP = HistoryTier.MINUTE.frameSeconds();

  /** Memory of a task's buffer in bytes, and the part of the heap that all of them may have. */
  private static final int TASK_BYTES = 4300;

  private static final int HEAP_PART = 16;

  private final Map<SeriesKey, SeriesBuffer> series = new HashMap<>();
  private final Map<HistoryTier, HistoryTierFiles> files = new EnumMap<>(HistoryTier.class);
  private final long mostBytes;
  private final long mostTasks;
  private long tasks; // series of tasks in memory
  private boolean full;
  private long now = -1; // the second that is being filled, since 1970; -1 before the first
  private boolean replays;
  private boolean failing;

  private HistoryStore(long mostBytes, long mostTasks) {
    this.mostBytes = mostBytes;
    this.mostTasks = mostTasks;
  }

  /**
   * Opens the history of a folder, which is made if it is missing.
   *
   * @param mostBytes that its files may have; the oldest points go first
   * @param now seconds since 1970
   * @throws IOException if the folder cannot be made or listed
   */
  public static HistoryStore open(Path folder, long mostBytes, long now) throws IOException {
    return open(folder, mostBytes, Runtime.getRuntime().maxMemory() / HEAP_PART / TASK_BYTES, now);
  }

  /**
   * Opens it with another bound of memory.
   *
   * @param mostTasks series of tasks that are in memory at once, a quarter of an hour after their
   *     end, too; of further ones nothing is kept
   */
  static HistoryStore open(Path folder, long mostBytes, long mostTasks, long now)
      throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    HistoryStore store = new HistoryStore(mostBytes, mostTasks);
    for (HistoryTier tier : TIERS) {
      store.files.put(tier, HistoryTierFiles.of(folder, tier));
    }
    store.replay();
    for (HistoryTierFiles tier : store.files.values()) {
      tier.removeOld(now);
    }
    return store;
  }

  /** Computes the coarse points of frames that were open when the last server ended. */
  private void replay() {
    HistoryTierFiles seconds = files.get(HistoryTier.SECOND);
    long until = seconds.until();
    if (until < 0) {
      return;
    }
    long from = until - until % HistoryTier.MINUTE.frameSeconds();
    Map<Long, Map<SeriesKey, int[]>> frames = new TreeMap<>();
    try {
      seconds.read(
          seconds.keys(from, until),
          from,
          until,
          (key, start, values) ->
              frames.computeIfAbsent(start, none -> new HashMap<>()).put(key, values));
    } catch (IOException fault) {
      LOG.warn("the history of the last minutes cannot be read: {}", fault.toString());
    }
    replays = true;
    frames.forEach(
        (start, rows) -> {
          for (int point = 0; point < HistoryTier.SECOND.points(); point++) {
            replay(start + point, rows, point);
          }
        });
    replays = false;
  }

  private void replay(long second, Map<SeriesKey, int[]> rows, int point) {
    int points = HistoryTier.SECOND.points();
    Map<SeriesKey, int[]> there = new HashMap<>();
    rows.forEach(
        (key, values) -> {
          int[] row = new int[values.length / points];
          boolean any = false;
          for (int metric = 0; metric < row.length; metric++) {
            row[metric] = values[metric * points + point];
            any |= row[metric] != HistoryMetric.ABSENT;
          }
          if (any) {
            there.put(key, row);
          }
        });
    if (!there.isEmpty()) {
      begin(second);
      there.forEach(this::put);
    }
  }

  /**
   * Begins a second; what was put before is of an earlier one.
   *
   * @param second since 1970; one that is not later than the last is no new one, and one that is
   *     earlier, as after a clock was set back, begins new frames
   * @return whether values may be put
   */
  public synchronized boolean begin(long second) {
    if (second == now) {
      return false;
    }
    if (now >= 0 && (second < now || second > now + LONG_GAP)) {
      closeFrames();
      series.clear();
      tasks = 0;
      now = -1;
    }
    long last = now < 0 ? second - 1 : now;
    for (long next = last + 1; next <= second; next++) {
      step(next);
    }
    return true;
  }

  /** Ends the second before this one, and with it the points and frames that end with it. */
  private void step(long second) {
    long before = second - 1;
    if (now >= 0) {
      for (HistoryTier tier : TIERS) {
        if (!tier.isPlain() && second % tier.step() == 0) {
          series.values().forEach(buffer -> buffer.summarize(tier, before));
        }
        if (second % tier.frameSeconds() == 0) {
          write(tier, before);
        }
      }
      if (second % HistoryTier.MINUTE.frameSeconds() == 0) {
        series.values().removeIf(SeriesBuffer::isEmpty);
        tasks = series.keySet().stream().filter(key -> key.kind() == SeriesKind.TASK).count();
        full = false;
      }
    }
    series.values().forEach(buffer -> buffer.forget(second));
    now = second;
  }

  /** Writes the open frames of a tier, to which a second belongs, and empties them. */
  private void write(HistoryTier tier, long second) {
    try {
      HistoryTierFiles to = files.get(tier);
      if (!replays) {
        to.append(second - second % tier.frameSeconds(), series);
        to.removeOld(second);
        limit();
      }
      if (failing) {
        failing = false;
        LOG.info("the history is written again");
      }
    } catch (IOException fault) {
      if (!failing) {
        failing = true;
        LOG.warn("the history is not written: {}", fault.toString());
      }
    }
    series.values().forEach(buffer -> buffer.clear(tier));
  }

  /** Removes the oldest files of the largest tier while all are too large. */
  private void limit() throws IOException {
    boolean removed = true;
    while (removed && files.values().stream().mapToLong(HistoryTierFiles::size).sum() > mostBytes) {
      HistoryTierFiles largest = files.get(HistoryTier.MINUTE);
      if (files.get(HistoryTier.TEN_SECONDS).size() > largest.size()) {
        largest = files.get(HistoryTier.TEN_SECONDS);
      }
      removed = largest.removeOldestOfSeveral();
    }
  }

  private void closeFrames() {
    for (HistoryTier tier : TIERS) {
      if (!tier.isPlain()) {
        series.values().forEach(buffer -> buffer.summarize(tier, now));
      }
      write(tier, now);
    }
  }

  /**
   * Sets the values of a series in the second that was begun.
   *
   * @param row one stored value for each metric of its kind, in their order
   */
  public synchronized void put(SeriesKey key, int[] row) {
    SeriesBuffer buffer = series.get(key);
    if (buffer == null) {
      if (key.kind() == SeriesKind.TASK && !hasRoom()) {
        return;
      }
      buffer = new SeriesBuffer(key.kind().metrics().size());
      series.put(key, buffer);
    }
    buffer.put(now, row);
  }

  private boolean hasRoom() {
    if (tasks < mostTasks) {
      tasks++;
      return true;
    }
    if (!full) {
      full = true;
      LOG.warn("the history has no room for more than {} tasks in half an hour", mostTasks);
    }
    return false;
  }

  /** Returns the time of the first point that may be kept in a tier, in seconds since 1970. */
  public static long oldest(HistoryTier tier, long present) {
    return present - tier.kept().toSeconds() - tier.segmentSeconds();
  }

  /** Returns the finest tier that has all of a time, in no more than so many points. */
  public HistoryTier tier(long from, long to, long present, int mostPoints) {
    for (HistoryTier tier : TIERS) {
      if (from >= present - tier.kept().toSeconds() && (to - from) / tier.step() <= mostPoints) {
        return tier;
      }
    }
    return HistoryTier.MINUTE;
  }

  /**
   * Returns from when on there may be points of a tier, in seconds; the largest long if none is. It
   * is the beginning of a frame, also of one that is not written yet.
   */
  public long since(HistoryTier tier) {
    synchronized (this) {
      long written = files.get(tier).since();
      return now < 0 ? written : Math.min(written, now - now % tier.frameSeconds());
    }
  }

  /** Returns the series of a kind that have points in a time, as far as files tell. */
  public Set<SeriesKey> keys(SeriesKind kind, HistoryTier tier, long from, long to)
      throws IOException {
    Set<SeriesKey> keys = new HashSet<>(files.get(tier).keys(from, to));
    synchronized (this) {
      if (now >= from && now - tier.frameSeconds() < to) {
        keys.addAll(series.keySet());
      }
    }
    keys.removeIf(key -> key.kind() != kind);
    return keys;
  }

  /** Returns the series of a kind that had points in the last hour that has any. */
  Set<SeriesKey> newest(SeriesKind kind) throws IOException {
    long until = files.get(HistoryTier.MINUTE).until();
    synchronized (this) {
      until = Math.max(until, now + 1);
    }
    return until < 0 ? Set.of() : keys(kind, HistoryTier.MINUTE, until - LONG_GAP * 4, until);
  }

  /**
   * Reads metrics of series.
   *
   * @param from time of the first point in seconds; rounded down to a point
   * @param to time after the last point
   * @param mostPoints of a curve; if there are more, neighbours are taken together
   * @throws IOException if a file cannot be read
   */
  public List<HistoryCurve> read(
      Collection<SeriesKey> wanted,
      Set<HistoryMetric> metrics,
      HistoryTier tier,
      long from,
      long to,
      int mostPoints)
      throws IOException {
    long first = from - Math.floorMod(from, (long) tier.step());
    int count = (int) ((Math.max(first, to - 1) - first) / tier.step() + 1);
    Map<SeriesKey, List<HistoryCurve>> curves = new HashMap<>();
    List<HistoryCurve> all = new ArrayList<>();
    for (SeriesKey key : wanted) {
      for (HistoryMetric metric : key.kind().metrics()) {
        if (metrics.contains(metric)) {
          HistoryCurve curve = HistoryCurve.empty(key, metric, first, tier.step(), count);
          curves.computeIfAbsent(key, none -> new ArrayList<>()).add(curve);
          all.add(curve);
        }
      }
    }
    SegmentFile.Reader into =
        (key, start, values) -> curves.get(key).forEach(curve -> fill(curve, tier, start, values));
    files.get(tier).read(curves.keySet(), from, to, into);
    synchronized (this) {
      for (SeriesKey key : curves.keySet()) {
        SeriesBuffer open = series.get(key);
        if (open != null) {
          if (!tier.isPlain()) {
            open.summarize(tier, now); // the point that is not over yet
          }
          into.frame(key, now - now % tier.frameSeconds(), open.frame(tier));
        }
      }
    }
    int together = (count - 1) / mostPoints + 1;
    return all.stream().map(curve -> curve.thinned(together)).toList();
  }

  private static void fill(HistoryCurve curve, HistoryTier tier, long start, int[] values) {
    int offset = curve.metric().column() * tier.columns() * tier.points();
    for (int point = 0; point < tier.points(); point++) {
      long index = (start - curve.start()) / tier.step() + point;
      if (index >= 0 && index < curve.mean().length) {
        curve.set((int) index, values, offset + point, tier.points(), tier.isPlain());
      }
    }
  }

  /** Returns the bytes of its files. */
  public long size() {
    return files.values().stream().mapToLong(HistoryTierFiles::size).sum();
  }

  /** Writes what is not written yet. */
  @Override
  public synchronized void close() throws IOException {
    if (now >= 0) {
      closeFrames();
      series.clear();
      now = -1;
    }
    for (HistoryTierFiles tier : files.values()) {
      tier.close();
    }
  }
}
