package io.remuda.coordinator.store;

import io.remuda.coordinator.meter.DurationHistogram;
import io.remuda.coordinator.store.row.PreparedStatements;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.io.Closeable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactions of a journal. Each checks that no other server has taken over. A transaction
 * that fails may be tried again: it writes whole rows, and one of which the database has not told
 * the outcome is looked for first. Used by one thread.
 */
final class StateWriter implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(StateWriter.class);

  /** What became of a transaction that did not fail. */
  enum Outcome {
    COMMITTED,
    /** There was nothing to write. */
    NOTHING_LEFT,
    /** Another server writes now; nothing was written. */
    TAKEN_OVER
  }

  /**
   * A transaction that is being committed.
   *
   * @param checksums of the state after it
   * @param rows that it writes; null if it only removes some
   */
  private record LastCommit(MetaTable checksums, StoreTransaction rows) {}

  private final DatabaseBackend database;
  private final long epoch;
  private final LiveRowChecksums<JobId> jobs;
  private final LiveRowChecksums<TaskId> tasks;
  private final DurationHistogram syncs = DurationHistogram.quick();
  private Connection connection;
  private PreparedStatements statements;
  private MetaTable checksums;

  /** The transaction of which the database has not told whether it is committed, or null. */
  private LastCommit unknown;

  /**
   * Takes the state for this server.
   *
   * @param checksums the numbers of the state when it was read
   * @throws StateInUseException if another server has begun since the state was read
   */
  StateWriter(
      DatabaseBackend database,
      Connection connection,
      MetaTable checksums,
      StateLoader.Loaded loaded)
      throws SQLException, StateInUseException {
    this.database = database;
    this.connection = connection;
    this.epoch = loaded.state().epoch();
    this.jobs = loaded.jobs();
    this.tasks = loaded.tasks();
    this.checksums = checksums;
    database.prepareWriter(connection);
    connection.setAutoCommit(false);
    this.statements = new PreparedStatements(connection, database.locked());
    requireEpoch(checksums.number(MetaTable.EPOCH));
    checksums.set(MetaTable.EPOCH, epoch);
    checksums.write(statements);
    statements.run();
    commit(new LastCommit(checksums, null));
  }

  private void requireEpoch(long read) throws SQLException, StateInUseException {
    String now = statements.epoch();
    if (!now.equals(read == 0 ? "" : Long.toString(read))) {
      connection.rollback();
      throw new StateInUseException("another server has taken over " + database.name());
    }
  }

  /** Writes entries in one transaction. After a fault, {@link #rollBack} and write them again. */
  Outcome write(List<StoreChange> entries) throws SQLException {
    reopenIfLost();
    database.requireWritable();
    if (!leads()) {
      connection.rollback();
      return Outcome.TAKEN_OVER;
    }
    if (settle()) {
      connection.rollback();
      return Outcome.COMMITTED;
    }
    StoreTransaction transaction =
        new StoreTransaction(connection, statements, checksums.copy(), jobs.draft(), tasks.draft());
    for (StoreChange entry : entries) {
      transaction.write(entry);
    }
    transaction.flush();
    commit(new LastCommit(transaction.checksums(), transaction));
    return Outcome.COMMITTED;
  }

  /** Runs one step of a cleanup in a transaction. After a fault, {@link #rollBack}. */
  Outcome tidy(StoreCleanup pass) throws SQLException, StoreDamagedException {
    reopenIfLost();
    if (!leads()) {
      rollBack();
      return Outcome.TAKEN_OVER;
    }
    settle();
    MetaTable next = checksums.copy();
    if (pass.step(database, connection, next)) {
      next.write(statements);
      statements.run();
      commit(new LastCommit(next, null));
      return Outcome.COMMITTED;
    }
    rollBack();
    connection.setAutoCommit(true);
    try {
      database.tidied(connection);
    } finally {
      connection.setAutoCommit(false);
    }
    return Outcome.NOTHING_LEFT;
  }

  /** Returns how long commits took, without the writing before; for any thread. */
  DurationHistogram.Reading syncs() {
    return syncs.reading();
  }

  private void commit(LastCommit last) throws SQLException {
    unknown = last;
    long begin = System.nanoTime();
    connection.commit();
    syncs.observe(System.nanoTime() - begin);
    kept(last);
  }

  private void kept(LastCommit last) {
    unknown = null;
    checksums = last.checksums();
    if (last.rows() != null) {
      last.rows().kept();
    }
    database.committed(checksums.said().birth(), checksums.said().commits());
  }

  /**
   * Finds out what became of a transaction of unknown outcome. Each transaction counts itself, and
   * nobody else writes while the epoch is this server's.
   *
   * @return whether rows were committed by it
   */
  private boolean settle() throws SQLException {
    LastCommit last = unknown;
    unknown = null;
    if (last == null
        || !statements.commits().equals(Long.toString(last.checksums().said().commits()))) {
      return false;
    }
    kept(last);
    return last.rows() != null;
  }

  /** Opens another connection if the current one was lost, as to a server that was restarted. */
  private void reopenIfLost() throws SQLException {
    if (!database.isLost(connection)) {
      return;
    }
    Connection next = database.connect();
    try {
      next.setAutoCommit(false);
      PreparedStatements fresh = new PreparedStatements(next, database.locked());
      if (fresh.epoch().equals(Long.toString(epoch))) { // else the next transaction finds it out
        database.prepareWriter(next);
      }
      next.rollback();
      statements = fresh;
      connection = next;
    } catch (SQLException fault) {
      next.close();
      throw fault;
    } catch (StateInUseException stillOpen) { // the lost connection's, for a moment
      next.close();
      throw new SQLException(stillOpen.getMessage(), stillOpen);
    }
  }

  /** Rolls back. JDBC's rollback fails if SQLite has done so itself, as after a full disk. */
  void rollBack() {
    statements.clear();
    try {
      connection.rollback();
    } catch (SQLException rolledBack) {
      if (!database.isLost(connection)) {
        begin();
      }
    }
  }

  /** Begins a transaction, which JDBC assumes to be open. */
  private void begin() {
    try (Statement statement = connection.createStatement()) {
      statement.execute("BEGIN");
    } catch (SQLException fault) {
      LOG.error("{}: {}", database.name(), fault.getMessage());
    }
  }

  private boolean leads() throws SQLException {
    return statements.epoch().equals(Long.toString(epoch));
  }

  /** Closes the database; all acknowledged commits are durable. */
  @Override
  public void close() {
    try {
      connection.close(); // and its statements
    } catch (SQLException fault) {
      LOG.warn("{}: {}", database.name(), fault.getMessage());
    }
    database.close();
  }
}
