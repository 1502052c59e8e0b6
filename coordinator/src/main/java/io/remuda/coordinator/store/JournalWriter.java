package io.remuda.coordinator.store;

import io.remuda.agent.clock.TrustedTime;
import io.remuda.coordinator.meter.DurationHistogram;
import io.remuda.coordinator.store.row.SqlQueryRunner;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.thread.DaemonThread;
import java.io.Closeable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only writer of a store. It accepts batches from any thread and commits all queued ones
 * together, in order (group commit). A batch is durable when its callback runs, on the writer's
 * thread. While the disk cannot be written, batches wait and {@link #trouble} returns the reason;
 * none is dropped. Every commit checks that no other server has taken over the file.
 *
 * <p>On request it removes old jobs and shrinks the file, in small transactions between commits.
 */
public final class JournalWriter implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(JournalWriter.class);

  /** Part of the {@link #trouble} message about a disk that does not respond but may recover. */
  public static final String STANDS_STILL = " stands still since ";

  private static final int MOST_BATCHES = 2000;
  private static final long RETRY_MILLIS = 500;

  /** A write that takes longer counts as a disk standing still. */
  private static final long STANDSTILL_MILLIS = 5000;

  /** Pause between two cleanup steps without commits, which leaves the disk to other programs. */
  private static final long PAUSE_MILLIS = 5;

  private record Batch(List<StoreChange> entries, Runnable committed) {}

  private final DatabaseBackend database;
  private final StateWriter state;
  private final Deque<Batch> waiting = new ArrayDeque<>();
  private final Thread writer = DaemonThread.of("journal", this::write);
  private final TrustedTime time;
  private boolean closed;
  private boolean stateClosed;

  /** The cleanup in progress, or null; guarded by {@link #waiting}. */
  private StoreCleanup tidying;

  /** When the current write began, in ms since 1970; 0 while nothing is written. */
  private volatile long writingSince;

  private volatile String trouble;
  private Runnable lost = () -> {}; // guarded by waiting, as the next one
  private boolean isLost;

  JournalWriter(
      DatabaseBackend database,
      Connection connection,
      MetaTable checksums,
      StateLoader.Loaded loaded)
      throws SQLException, StoreDamagedException, StateInUseException {
    this.database = database;
    this.time = new TrustedTime(knownTime(connection, checksums));
    this.state = new StateWriter(database, connection, checksums, loaded);
  }

  /** Returns the last known time; a file of an earlier build has only that of its last event. */
  private static TrustedTime.ClockReading knownTime(Connection connection, MetaTable checksums)
      throws SQLException, StoreDamagedException {
    if (checksums.time().seen() != 0) {
      return checksums.time();
    }
    return SqlQueryRunner.all(
            connection,
            "SELECT at FROM events ORDER BY sequence DESC LIMIT 1",
            row -> new TrustedTime.ClockReading(row.getLong(1), 0, 0))
        .stream()
        .findFirst()
        .orElse(TrustedTime.ClockReading.NOTHING);
  }

  void start() {
    writer.start();
  }

  /**
   * Sets what runs, on the writer's thread or at once, when another server has taken over the file
   * or the writer has failed.
   */
  public void onLost(Runnable action) {
    synchronized (waiting) {
      lost = action;
      if (!isLost) {
        return;
      }
    }
    action.run(); // it was lost before anybody wanted to know
  }

  private void lose() {
    Runnable action;
    synchronized (waiting) {
      isLost = true;
      action = lost;
    }
    action.run();
  }

  /**
   * Returns why the state cannot be written at present, or why no more should be written; empty if
   * all is well. Waits only briefly for the disk.
   */
  public Optional<String> trouble() {
    String fault = trouble;
    return fault == null ? standstill().or(database::trouble) : Optional.of(fault);
  }

  /** Returns since when the disk stands still, if the current write takes too long. */
  public Optional<String> standstill() {
    long since = writingSince;
    if (since == 0 || System.currentTimeMillis() - since < STANDSTILL_MILLIS) {
      return Optional.empty();
    }
    LocalTime time = LocalTime.ofInstant(Instant.ofEpochMilli(since), ZoneId.systemDefault());
    return Optional.of(database.medium() + STANDS_STILL + time.truncatedTo(ChronoUnit.SECONDS));
  }

  /** Queues entries for one commit; {@code committed} runs when they are durable. */
  public void append(List<StoreChange> entries, Runnable committed) {
    synchronized (waiting) {
      waiting.add(new Batch(List.copyOf(entries), committed));
      waiting.notifyAll();
    }
  }

  /**
   * Starts removing jobs beyond the retention and returning free space to the disk, in small
   * transactions between commits. Uses {@link TrustedTime}, in case the clock has jumped ahead.
   *
   * @param nowMillis wall-clock time since 1970
   * @param nowNanos of a monotonic clock, by which jumps of the other are noticed
   * @return completes with the number of removed jobs, or with the fault that ended this pass
   */
  public CompletionStage<Integer> tidy(Retention retention, long nowMillis, long nowNanos) {
    synchronized (waiting) {
      if (tidying == null) {
        tidying = new StoreCleanup(retention, lookAt(nowMillis, nowNanos));
        waiting.notifyAll();
      }
      return tidying.outcome();
    }
  }

  /** Removes old jobs by this machine's monotonic clock. */
  public CompletionStage<Integer> tidy(Retention retention, long nowMillis) {
    return tidy(retention, nowMillis, System.nanoTime());
  }

  /** Must be called with the lock of {@link #waiting}, which guards {@link #time}. */
  private TrustedTime.ClockReading lookAt(long nowMillis, long nowNanos) {
    TrustedTime.ClockReading known = time.look(nowMillis, nowNanos);
    if (known.inDoubt()) {
      LOG.warn(
          "the clock says {}, but it should be about {}: old jobs are removed by the latter until"
              + " the clock has gone evenly for a day",
          Instant.ofEpochMilli(nowMillis),
          Instant.ofEpochMilli(known.seen()));
    }
    return known;
  }

  private void write() {
    try {
      while (!isDone()) {
        List<Batch> batches = take();
        writingSince = System.currentTimeMillis();
        boolean kept = batches.isEmpty() || commit(batches);
        writingSince = 0;
        if (!kept) {
          return;
        }
        batches.forEach(batch -> batch.committed().run());
        writingSince = System.currentTimeMillis();
        tidyUp();
        writingSince = 0;
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error fault) {
      trouble = "the journal has failed: " + fault;
      lose();
    }
  }

  private boolean isDone() {
    synchronized (waiting) {
      return closed && waiting.isEmpty();
    }
  }

  /**
   * Waits for batches and returns up to {@link #MOST_BATCHES}; none if closed, or if a cleanup step
   * can run instead.
   */
  private List<Batch> take() throws InterruptedException {
    synchronized (waiting) {
      if (waiting.isEmpty() && !closed && tidying != null) {
        waiting.wait(PAUSE_MILLIS);
      }
      while (waiting.isEmpty() && !closed && tidying == null) {
        waiting.wait();
      }
      List<Batch> some = new ArrayList<>();
      while (!waiting.isEmpty() && some.size() < MOST_BATCHES) {
        some.add(waiting.poll());
      }
      return some;
    }
  }

  /** Returns how long the database took to make its transactions safe; for any thread. */
  public DurationHistogram.Reading syncs() {
    return state.syncs();
  }

  /** Runs one small cleanup transaction; a fault ends the cleanup until the next request. */
  private void tidyUp() {
    StoreCleanup pass;
    synchronized (waiting) {
      pass = closed ? null : tidying;
    }
    if (pass == null) {
      return;
    }
    try {
      StateWriter.Outcome outcome = state.tidy(pass);
      if (outcome != StateWriter.Outcome.COMMITTED) { // else the next step follows
        endTidying();
      }
      if (outcome == StateWriter.Outcome.NOTHING_LEFT) {
        pass.done();
      }
    } catch (SQLException | StoreDamagedException fault) {
      state.rollBack();
      endTidying();
      pass.failed(fault);
    }
  }

  private void endTidying() {
    synchronized (waiting) {
      tidying = null;
    }
  }

  /** Retries until the commit succeeds; returns false if closed or taken over meanwhile. */
  private boolean commit(List<Batch> batches) throws InterruptedException {
    List<StoreChange> entries =
        batches.stream().flatMap(batch -> batch.entries().stream()).toList();
    while (true) {
      try {
        if (state.write(entries) == StateWriter.Outcome.TAKEN_OVER) {
          trouble = "another server has taken over " + database.name();
          lose();
          return false;
        }
        told(null);
        return true;
      } catch (SQLException fault) {
        told(reason(fault));
        state.rollBack();
        synchronized (waiting) {
          if (closed) {
            return false;
          }
          waiting.wait(RETRY_MILLIS);
        }
        writingSince = System.currentTimeMillis(); // the disk did not cause this wait
      }
    }
  }

  /** Returns what the database says, without the statements and values of a batch. */
  private static String reason(SQLException fault) {
    SQLException last = fault;
    while (last.getNextException() != null) {
      last = last.getNextException();
    }
    return last.getMessage();
  }

  private void told(String fault) {
    if (fault != null && !fault.equals(trouble)) {
      LOG.error("the state cannot be written: {}", fault);
    } else if (fault == null && trouble != null) {
      LOG.info("the state can be written again");
    }
    trouble = fault;
  }

  /**
   * Commits what is queued, if that is possible, and closes the database. Closing it again waits
   * for the same and does nothing else.
   */
  @Override
  public void close() {
    synchronized (waiting) {
      closed = true;
      waiting.notifyAll();
    }
    try {
      writer.join();
      closeState();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void closeState() {
    if (!stateClosed) {
      stateClosed = true;
      state.close();
    }
  }
}
