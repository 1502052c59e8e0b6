package io.remuda.coordinator.store;

import io.remuda.agent.clock.TrustedTime;
import io.remuda.agent.settings.DiskRoom;
import io.remuda.coordinator.store.row.LogEntry;
import io.remuda.coordinator.store.row.PreparedStatements;
import io.remuda.coordinator.store.row.RowReader;
import io.remuda.coordinator.store.row.StoreDamaged;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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
public final class Journal implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

  /** Part of the {@link #trouble} message about a disk that does not respond but may recover. */
  public static final String STANDS_STILL = " stands still since ";

  private static final int MOST_BATCHES = 2000;
  private static final long RETRY_MILLIS = 500;

  /** A write that takes longer counts as a disk standing still. */
  private static final long STANDSTILL_MILLIS = 5000;

  /** Pause between two cleanup steps without commits, which leaves the disk to other programs. */
  private static final long PAUSE_MILLIS = 5;

  private record Batch(List<LogEntry> entries, Runnable committed) {}

  private final Path folder;
  private final StatePlace place;
  private final StateMark mark;
  private final Connection connection;
  private final long epoch;
  private final LiveTableChecksums<JobId> jobs;
  private final LiveTableChecksums<TaskId> tasks;
  private final PreparedStatements statements;
  private final Deque<Batch> waiting = new ArrayDeque<>();
  private final Thread writer = new Thread(this::write, "journal");
  private final TrustedTime time;
  private TableChecksums checksums;
  private boolean closed;

  /** The cleanup in progress, or null; guarded by {@link #waiting}. */
  private StoreCleanup tidying;

  private final DiskGauge room;

  /** When the current write began, in ms since 1970; 0 while nothing is written. */
  private volatile long writingSince;

  private volatile String trouble;
  private volatile Runnable lost = () -> {};

  Journal(
      StatePlace place,
      StateMark mark,
      Connection connection,
      TableChecksums checksums,
      StateLoader.Loaded loaded)
      throws SQLException, StoreDamaged, IOException {
    this.folder = place.folder();
    this.room = new DiskGauge(() -> place.trouble().or(() -> DiskRoom.shortage(folder)));
    this.place = place;
    this.mark = mark;
    this.connection = connection;
    this.epoch = loaded.state().epoch();
    this.jobs = loaded.jobs();
    this.tasks = loaded.tasks();
    this.checksums = checksums;
    this.time = new TrustedTime(knownTime(connection, checksums));
    FreeSpace.copyLogSeldom(connection);
    connection.setAutoCommit(false);
    this.statements = new PreparedStatements(connection);
    checksums.set("epoch", epoch);
    checksums.write(statements);
    statements.run();
    connection.commit();
    mark.write(checksums.said());
    mark.sync();
  }

  /** Returns the last known time; a file of an earlier build has only that of its last event. */
  private static TrustedTime.ClockReading knownTime(Connection connection, TableChecksums checksums)
      throws SQLException, StoreDamaged {
    if (checksums.time().seen() != 0) {
      return checksums.time();
    }
    return RowReader.all(
            connection,
            "SELECT at FROM events ORDER BY sequence DESC LIMIT 1",
            row -> new TrustedTime.ClockReading(row.getLong(1), 0, 0))
        .stream()
        .findFirst()
        .orElse(TrustedTime.ClockReading.NOTHING);
  }

  void start() {
    writer.setDaemon(true);
    writer.start();
  }

  /**
   * Sets what runs, on the writer's thread, when another server has taken over the file or the
   * writer has failed.
   */
  public void onLost(Runnable action) {
    lost = action;
  }

  /**
   * Returns why the state cannot be written at present, or why no more should be written; empty if
   * all is well. Waits only briefly for the disk.
   */
  public Optional<String> trouble() {
    String fault = trouble;
    return fault == null ? standstill().or(room::trouble) : Optional.of(fault);
  }

  /** Returns since when the disk stands still, if the current write takes too long. */
  public Optional<String> standstill() {
    long since = writingSince;
    if (since == 0 || System.currentTimeMillis() - since < STANDSTILL_MILLIS) {
      return Optional.empty();
    }
    LocalTime time = LocalTime.ofInstant(Instant.ofEpochMilli(since), ZoneId.systemDefault());
    return Optional.of(
        "the disk of " + folder + STANDS_STILL + time.truncatedTo(ChronoUnit.SECONDS));
  }

  /** Queues entries for one commit; {@code committed} runs when they are durable. */
  public void append(List<LogEntry> entries, Runnable committed) {
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
   * @return completes with the number of removed jobs, or with the fault that ended this pass
   */
  public CompletionStage<Integer> tidy(Retention retention, long nowMillis) {
    synchronized (waiting) {
      if (tidying == null) {
        tidying = new StoreCleanup(retention, lookAt(nowMillis));
        waiting.notifyAll();
      }
      return tidying.outcome();
    }
  }

  /** Must be called with the lock of {@link #waiting}, which guards {@link #time}. */
  private TrustedTime.ClockReading lookAt(long nowMillis) {
    TrustedTime.ClockReading known = time.look(nowMillis, System.nanoTime());
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
      lost.run();
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

  /** Runs one small cleanup transaction; a fault ends the cleanup until the next request. */
  private void tidyUp() {
    StoreCleanup pass;
    synchronized (waiting) {
      pass = closed ? null : tidying;
    }
    if (pass == null) {
      return;
    }
    TableChecksums next = checksums.copy();
    try {
      if (!leads()) {
        rollback();
        endTidying(); // the next commit reports the takeover
      } else if (pass.step(connection, next)) {
        next.write(statements);
        statements.run();
        connection.commit();
        checksums = next;
        note();
      } else {
        rollback();
        FreeSpace.cutLog(connection);
        endTidying();
        pass.done();
      }
    } catch (SQLException | StoreDamaged fault) {
      rollback();
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
    while (true) {
      StoreTransaction transaction =
          new StoreTransaction(
              connection, statements, checksums.copy(), jobs.draft(), tasks.draft());
      try {
        requirePlace();
        if (!leads()) {
          connection.rollback();
          trouble = "another server has taken over the state file";
          lost.run();
          return false;
        }
        for (Batch batch : batches) {
          for (LogEntry entry : batch.entries()) {
            transaction.write(entry);
          }
        }
        transaction.flush();
        connection.commit();
        checksums = transaction.checksums();
        transaction.kept();
        note();
        told(null);
        return true;
      } catch (SQLException fault) {
        told(fault.getMessage());
        rollback();
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

  /** Throws if the file was moved or removed: what is written to it would be lost. */
  private void requirePlace() throws SQLException {
    Optional<String> gone = place.trouble();
    if (gone.isPresent()) {
      throw new SQLException(gone.get());
    }
  }

  /** Updates the mark, by which a later start notices that acknowledged commits are missing. */
  private void note() {
    try {
      mark.write(checksums.said());
    } catch (IOException fault) {
      LOG.warn("{}: {}", mark.path(), fault.toString()); // harmless: the mark is too low
    }
  }

  private void told(String fault) {
    if (fault != null && !fault.equals(trouble)) {
      LOG.error("the state cannot be written: {}", fault);
    } else if (fault == null && trouble != null) {
      LOG.info("the state can be written again");
    }
    trouble = fault;
  }

  /** Rolls back. JDBC's rollback fails if SQLite has done so itself, as after a full disk. */
  private void rollback() {
    statements.clear();
    try {
      connection.rollback();
    } catch (SQLException rolledBack) {
      begin();
    }
  }

  /** Begins a transaction, which JDBC assumes to be open. */
  private void begin() {
    try (Statement statement = connection.createStatement()) {
      statement.execute("BEGIN");
    } catch (SQLException fault) {
      trouble = fault.getMessage();
    }
  }

  private boolean leads() throws SQLException {
    return statements.epoch().equals(Long.toString(epoch));
  }

  /** Commits what is queued, if the disk can be written, and closes the file. */
  @Override
  public void close() {
    synchronized (waiting) {
      closed = true;
      waiting.notifyAll();
    }
    try {
      writer.join();
      connection.close(); // and its statements
      mark.sync();
      mark.close();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } catch (SQLException fault) {
      trouble = fault.getMessage(); // all acknowledged commits are durable
    } catch (IOException fault) {
      LOG.warn("{}: {}", mark.path(), fault.toString());
    }
  }
}
