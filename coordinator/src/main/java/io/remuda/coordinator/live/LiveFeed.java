package io.remuda.coordinator.live;

import io.remuda.coordinator.api.LiveClusterView;
import io.remuda.coordinator.cluster.LeaderNotice;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Says what happens to all who look on. Each asks for what comes after what it has; so a slow
 * reader has no queue here, but gets all of the newest moment once it asks again. A moment is
 * looked at and written once for all readers, and only while one waits for it. Thread-safe.
 */
public final class LiveFeed {

  /**
   * From one moment to the next where a look costs little. A reading waits half of it on average,
   * beside the second in which its node reads once.
   */
  static final Duration SHORTEST = Duration.ofMillis(250);

  /** The same where a look takes long. */
  static final Duration LONGEST = Duration.ofSeconds(1);

  /**
   * A moment lasts so many times as long as looking at it took, so that looks take 5 % of a core.
   */
  private static final int PACE = 20;

  /** Changes that are kept for readers that are late: of ten seconds at least. */
  private static final int MOST_CHANGES = 40;

  private static final int MOST_BYTES = 4 << 20;
  private static final int RADIX = 36;

  /**
   * What the state says besides the coordinator.
   *
   * @param failedJobs that failed in the last hour
   * @param revision grows when a job changes
   */
  public record Records(int failedJobs, long revision) {}

  /**
   * What was looked at.
   *
   * @param leader what the leader has said of itself last, or null
   */
  public record Sight(LiveClusterView view, Records records, LeaderNotice leader) {}

  /** Runs something later. */
  public interface Later {
    void run(Duration delay, Runnable what);
  }

  private record Change(String after, String id, byte[] events) {}

  private record Reader(String after, CompletableFuture<LiveBatch> answer) {}

  private final Supplier<CompletionStage<Sight>> look;
  private final Later later;
  private final Clock clock;
  private final String name;
  private final WallPainter painter = new WallPainter(); // by one look at a time
  private final List<Reader> waiting = new ArrayList<>();
  private final Deque<Change> changes = new ArrayDeque<>();
  private int changeBytes;
  private long number;
  private long lookedAt;
  private long pace = SHORTEST.toMillis();
  private LiveMoment current; // null before the first
  private byte[] all; // of the current moment; null if nobody has asked for it
  private boolean running;

  /**
   * @param look asks what happens
   * @param clock of the times that are told, by which the moments are paced, too
   */
  public LiveFeed(Supplier<CompletionStage<Sight>> look, Later later, Clock clock) {
    this.look = look;
    this.later = later;
    this.clock = clock;
    this.name = Long.toString(clock.millis(), RADIX);
  }

  /**
   * Returns what comes after what a reader has, as soon as there is something: the changes since
   * then, or all of the newest moment if that is too long ago. Fails if the coordinator cannot be
   * asked.
   *
   * @param after id of the last batch, or empty if there is none
   */
  public CompletionStage<LiveBatch> next(String after) {
    Reader reader = new Reader(after, new CompletableFuture<>());
    synchronized (this) {
      boolean late = current != null && !after.equals(id()) && isFresh();
      if (late) {
        return CompletableFuture.completedFuture(batch(after));
      }
      if (!running) {
        later.run(Duration.ofMillis(left()), this::look);
        running = true;
      }
      waiting.add(reader);
    }
    return reader.answer();
  }

  /** Returns the bytes of the texts that are kept. */
  synchronized int keptBytes() {
    return changeBytes + (all == null ? 0 : all.length);
  }

  private boolean isFresh() {
    long age = clock.millis() - lookedAt;
    return age >= 0 && age < pace;
  }

  private String id() {
    return name + "." + number;
  }

  private void look() {
    synchronized (this) {
      if (waiting.isEmpty()) {
        running = false;
        all = null;
        return;
      }
      lookedAt = clock.millis();
    }
    asked().whenCompleteAsync(this::looked, Runnable::run);
  }

  private CompletionStage<Sight> asked() {
    try {
      return look.get();
    } catch (RuntimeException unforeseen) { // the readers are told
      return CompletableFuture.failedFuture(unforeseen);
    }
  }

  private void looked(Sight sight, Throwable fault) {
    List<Reader> readers = new ArrayList<>();
    List<LiveBatch> batches = new ArrayList<>();
    Throwable why = fault;
    synchronized (this) {
      readers.addAll(waiting);
      waiting.clear();
      try {
        if (fault == null) {
          seen(moment(sight));
          readers.forEach(reader -> batches.add(batch(reader.after())));
        }
      } catch (RuntimeException unforeseen) { // the readers are told; the next look comes
        why = unforeseen;
      }
      long took = Math.max(0, clock.millis() - lookedAt);
      pace = Math.min(LONGEST.toMillis(), Math.max(SHORTEST.toMillis(), PACE * took));
      try {
        later.run(Duration.ofMillis(left()), this::look);
      } catch (RuntimeException ends) { // as a scheduler that has ended: the next reader tries it
        running = false;
      }
    }
    for (int at = 0; at < readers.size(); at++) {
      if (why == null) {
        readers.get(at).answer().complete(batches.get(at));
      } else {
        readers.get(at).answer().completeExceptionally(why);
      }
    }
  }

  private long left() {
    return Math.max(1, Math.min(pace, lookedAt + pace - clock.millis()));
  }

  private LiveMoment moment(Sight sight) {
    long now = clock.millis();
    LeaderNotice leader = sight.leader();
    return new LiveMoment(
        now / 1000,
        painter.paint(sight.view().activity().nodes(), now / 1000),
        LiveMoment.Queue.of(sight.view(), sight.records(), now),
        new LiveMoment.Jobs(sight.view().running(), sight.view().left()),
        leader == null
            ? new LiveMoment.Server(null, null, null, null, null)
            : new LiveMoment.Server(
                leader.member(),
                leader.build(),
                leader.epoch(),
                leader.since() / 1000,
                leader.trouble()));
  }

  private void seen(LiveMoment now) {
    String before = id();
    number++;
    if (current != null) {
      Change change = new Change(before, id(), LiveEventWriter.changes(current, now, id()));
      changes.addLast(change);
      changeBytes += change.events().length;
      while (changes.size() > MOST_CHANGES || (changeBytes > MOST_BYTES && changes.size() > 1)) {
        changeBytes -= changes.removeFirst().events().length;
      }
    }
    current = now;
    all = null;
  }

  private LiveBatch batch(String after) {
    List<Change> since = since(after);
    if (since.isEmpty()) {
      if (all == null) {
        all = LiveEventWriter.all(current, id());
      }
      return new LiveBatch(id(), all);
    }
    if (since.size() == 1) {
      return new LiveBatch(id(), since.get(0).events());
    }
    byte[] joined = new byte[since.stream().mapToInt(change -> change.events().length).sum()];
    int end = 0;
    for (Change change : since) {
      System.arraycopy(change.events(), 0, joined, end, change.events().length);
      end += change.events().length;
    }
    return new LiveBatch(id(), joined);
  }

  /** Returns the changes since a moment; none if they are not all here, or larger than it all. */
  private List<Change> since(String after) {
    List<Change> since = new ArrayList<>();
    for (Iterator<Change> newest = changes.descendingIterator(); newest.hasNext(); ) {
      Change change = newest.next();
      since.add(0, change);
      if (change.after().equals(after)) {
        return since;
      }
    }
    return List.of();
  }
}
