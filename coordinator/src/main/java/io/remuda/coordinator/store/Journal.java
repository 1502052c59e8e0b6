package io.remuda.coordinator.store;

import io.remuda.agent.clock.TrustedTime;
import io.remuda.agent.settings.DiskRoom;
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
 * The only writer of a store: takes batches from any thread, in order, and makes as many of them
 * durable at once as have come meanwhile (group commit). A batch is durable when its callback runs,
 * on the writer's thread. While the disk takes nothing, batches wait and {@link #trouble} says why;
 * none is dropped. Every commit checks that no other server has taken the file over.
 *
 * <p>Between commits it tidies up, a little at a time, when it is told to.
 */
public final class Journal implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

  /** In the words of {@link #trouble} about a disk that answers nothing, but may again. */
  public static final String STANDS_STILL = " stands still since ";

  private static final int MOST_BATCHES = 2000;
  private static final long RETRY_MILLIS = 500;

  /** A disk that takes longer stands still. */
  private static final long STANDSTILL_MILLIS = 5000;

  /** Between two steps of tidying while there is nothing to commit, so that others get the disk. */
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

  /** What is to be tidied up, or null; guarded by {@link #waiting}. */
  private StoreCleanup tidying;

  private final DiskGauge room;

  /** When what is written now was begun, in ms since 1970; 0 while nothing is. */
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

  /** A file of an earlier build knows when the last thing happened. */
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

  /** Runs, on the writer's thread, when another server has taken the file over. */
  public void onLost(Runnable action) {
    lost = action;
  }

  /**
   * Why nothing can be written at present, or nothing more should be; nothing if all is well. Does
   * not wait for the disk but a moment.
   */
  public Optional<String> trouble() {
    String fault = trouble;
    return fault == null ? standstill().or(room::trouble) : Optional.of(fault);
  }

  /** Says since when the disk takes nothing, if what is written has taken it long. */
  public Optional<String> standstill() {
    long since = writingSince;
    if (since == 0 || System.currentTimeMillis() - since < STANDSTILL_MILLIS) {
      return Optional.empty();
    }
    LocalTime time = LocalTime.ofInstant(Instant.ofEpochMilli(since), ZoneId.systemDefault());
    return Optional.of(
        "the disk of " + folder + STANDS_STILL + time.truncatedTo(ChronoUnit.SECONDS));
  }

  /** Has these made durable together, then runs {@code committed}. */
  public void append(List<LogEntry> entries, Runnable committed) {
    synchronized (waiting) {
      waiting.add(new Batch(List.copyOf(entries), committed));
      waiting.notifyAll();
    }
  }

  /**
   * Has what is kept no longer removed, and room given back to the disk, in small transactions
   * between the others. A clock that has leapt ahead is not believed at once.
   *
   * @param nowMillis since 1970, as the clock says
   * @return how many jobs were removed, once that is done; or why it is put off to the next time
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

  /** Guarded by {@link #waiting}, as what it gives. */
  private TrustedTime.ClockReading lookAt(long nowMillis) {
    TrustedTime.ClockReading known = time.look(nowMillis, System.nanoTime());
    if (known.isDoubted()) {
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

  /** All that has come, at most so many; empty once closed, and when there is time to tidy up. */
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

  /** One small transaction; with a fault the rest is left to the next time. */
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
        endTidying(); // the next commit says so
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

  /** Tries until the disk takes it; false if it is closed or lost meanwhile. */
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
        writingSince = System.currentTimeMillis(); // that wait was not the disk's
      }
    }
  }

  /** A file that was moved or removed is written to for nobody. */
  private void requirePlace() throws SQLException {
    Optional<String> gone = place.trouble();
    if (gone.isPresent()) {
      throw new SQLException(gone.get());
    }
  }

  /** What was acknowledged must not be missing later without a word. */
  private void note() {
    try {
      mark.write(checksums.said());
    } catch (IOException fault) {
      LOG.warn("{}: {}", mark.path(), fault.toString()); // it says less than there is
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

  /** SQLite has rolled back by itself after some faults, as of a full disk; then JDBC's fails. */
  private void rollback() {
    statements.clear();
    try {
      connection.rollback();
    } catch (SQLException rolledBack) {
      begin();
    }
  }

  /** JDBC takes for granted that it is within a transaction. */
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

  /** Writes what has been appended, if the disk takes it, and closes the file. */
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
      trouble = fault.getMessage(); // all that was acknowledged is on the disk
    } catch (IOException fault) {
      LOG.warn("{}: {}", mark.path(), fault.toString());
    }
  }
}
