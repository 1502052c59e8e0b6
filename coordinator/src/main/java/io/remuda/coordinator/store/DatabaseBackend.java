package io.remuda.coordinator.store;

import io.remuda.coordinator.store.row.StoreDamagedException;
import java.io.Closeable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The database that holds a state: what SQLite and PostgreSQL do each in a way of their own. The
 * tables and nearly all SQL are the same. Thread-safe.
 */
public interface DatabaseBackend extends Closeable {

  /** Returns its name in messages: a path, or an address without secrets. */
  String name();

  /** Returns what a slow write waits for, in messages. */
  String medium();

  /** Opens a connection for the writer, which commits by itself. */
  Connection connect() throws SQLException;

  /** Opens a connection that only reads, and sees only what is committed. */
  Connection connectToRead() throws SQLException;

  /** Returns the version of the tables, 0 if there are none. */
  int version(Connection connection) throws SQLException;

  /** Returns the version of the tables that this build writes. */
  int newestVersion();

  /** Returns whether the tables need no upgrade. */
  boolean isNewest(Connection connection) throws SQLException;

  /**
   * Creates or upgrades the tables.
   *
   * @throws StoreDamagedException if a newer build has written them
   */
  void prepareTables(Connection connection) throws SQLException, StoreDamagedException;

  /**
   * Checks what is below the rows, which have checksums of their own.
   *
   * @throws StoreDamagedException if it is damaged
   */
  void check(Connection connection) throws SQLException, StoreDamagedException;

  /** Returns the end of a query for rows that no other transaction may change meanwhile. */
  String locked();

  /**
   * Prepares the writer's connection, before its first transaction.
   *
   * @throws StateInUseException if another server writes
   */
  void prepareWriter(Connection connection) throws SQLException, StateInUseException;

  /**
   * Called before each transaction.
   *
   * @throws SQLException if what is written would be lost
   */
  void requireWritable() throws SQLException;

  /** Returns why nothing should be written, if anything. Takes only moments. */
  Optional<String> trouble();

  /** Returns whether a connection is of no use after a fault, and another is to be opened. */
  boolean isLost(Connection connection);

  /**
   * Called after each commit.
   *
   * @param birth which state it is
   * @param commits how many transactions it has
   */
  void committed(long birth, long commits);

  /**
   * Returns some unused space to the disk, within a transaction.
   *
   * @return false once nothing is left to do
   */
  boolean shrink(Connection connection) throws SQLException;

  /** Called outside a transaction when old jobs have been removed. */
  void tidied(Connection connection) throws SQLException;

  /** Releases the state to others; all connections are closed. */
  @Override
  void close();
}
