package io.remuda.coordinator.store.copy;

import io.remuda.coordinator.store.DatabaseBackend;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.store.row.StoredTable;
import java.io.Closeable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * One side of a copy: a state that no server can use until this is closed, because the lock of its
 * writer is held. Single-threaded.
 */
final class WriterLockedState implements Closeable {

  /** A portion ends after about this many bytes. */
  private static final long MOST_BYTES = 8 << 20;

  /** How many rows a database sends at once. */
  private static final int ROWS_SENT = 100;

  private final DatabaseBackend database;
  private final Connection connection;
  private final String byBytes;
  private final int rowsAtOnce;

  private WriterLockedState(DatabaseBackend database, Connection connection, int rowsAtOnce)
      throws SQLException {
    this.database = database;
    this.connection = connection;
    this.rowsAtOnce = rowsAtOnce;
    boolean file = connection.getMetaData().getDatabaseProductName().equals("SQLite");
    this.byBytes = file ? "BINARY" : "C";
  }

  /**
   * Takes a state that is only read.
   *
   * @param rowsAtOnce most rows of a portion
   * @throws io.remuda.coordinator.store.StateInUseException if a server uses it
   */
  static WriterLockedState toRead(DatabaseBackend database, int rowsAtOnce)
      throws SQLException, IOException {
    return take(database, database.connectToRead(), rowsAtOnce);
  }

  /** Takes a state that is written, see {@link #toRead}. */
  static WriterLockedState toWrite(DatabaseBackend database, int rowsAtOnce)
      throws SQLException, IOException {
    return take(database, database.connect(), rowsAtOnce);
  }

  private static WriterLockedState take(
      DatabaseBackend database, Connection connection, int rowsAtOnce)
      throws SQLException, IOException {
    try {
      database.prepareWriter(connection);
      return new WriterLockedState(database, connection, rowsAtOnce);
    } catch (SQLException | IOException fault) {
      connection.close();
      throw fault;
    }
  }

  String name() {
    return database.name();
  }

  DatabaseBackend database() {
    return database;
  }

  Connection connection() {
    return connection;
  }

  /** Begins to group statements into transactions, which end with a commit or here. */
  void begin() throws SQLException {
    connection.setAutoCommit(false);
  }

  long count(StoredTable<?> table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table.name())) {
      row.next();
      return row.getLong(1);
    } finally {
      connection.rollback();
    }
  }

  /** Returns the last row of a table, or null if it is empty. */
  CopiedRow last(StoredTable<?> table) throws SQLException, StoreDamagedException {
    List<CopiedRow> last = rows(table, table.lastRow(byBytes));
    return last.isEmpty() ? null : last.get(0);
  }

  /**
   * Returns the next rows of a table in the order of its key, with their checksums checked.
   *
   * @param after the row before them; null for the first ones
   * @throws StoreDamagedException naming the state, the table and the key of a damaged row
   */
  List<CopiedRow> rows(StoredTable<?> table, CopiedRow after)
      throws SQLException, StoreDamagedException {
    if (after == null) {
      return rows(table, table.firstRows(byBytes), rowsAtOnce);
    }
    Object[] key = after.key();
    Object[] values = java.util.Arrays.copyOf(key, key.length + 1);
    values[key.length] = rowsAtOnce;
    return rows(table, table.rowsAfter(byBytes), values);
  }

  private List<CopiedRow> rows(StoredTable<?> table, String sql, Object... values)
      throws SQLException, StoreDamagedException {
    List<CopiedRow> rows = new ArrayList<>();
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setFetchSize(ROWS_SENT);
      for (int i = 0; i < values.length; i++) {
        query.setObject(i + 1, values[i]);
      }
      try (ResultSet row = query.executeQuery()) {
        long bytes = 0;
        while (bytes < MOST_BYTES && row.next()) {
          CopiedRow next = CopiedRow.read(table, row);
          bytes += next.size();
          rows.add(next);
        }
      }
      return rows;
    } catch (StoreDamagedException damaged) {
      throw new StoreDamagedException(name() + ": " + damaged.getMessage(), damaged);
    } finally {
      connection.rollback(); // PostgreSQL ends sessions that are idle in a transaction
    }
  }

  /**
   * Checks the version of the tables.
   *
   * @throws StoreDamagedException if a newer build has written them
   * @throws IOException if an older one has
   */
  void requireNewest() throws SQLException, StoreDamagedException, IOException {
    int found = database.version(connection);
    StoreDamagedException.requireKnown(found, database.newestVersion(), "state");
    if (found == 0) {
      throw new IOException(name() + " has no state");
    }
    if (found < database.newestVersion()) {
      throw new IOException(
          name()
              + " was written by an older build: start this build's server on it once, which"
              + " upgrades it, and end that with remuda stop --keep");
    }
  }

  /** Closes the connection and so, in PostgreSQL, frees the lock. */
  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } catch (SQLException fault) {
      throw new IOException(name() + ": " + fault.getMessage(), fault);
    }
  }
}
