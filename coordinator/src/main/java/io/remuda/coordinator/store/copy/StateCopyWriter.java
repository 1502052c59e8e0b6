package io.remuda.coordinator.store.copy;

import io.remuda.coordinator.store.MetaTable;
import io.remuda.coordinator.store.StateFileIdentity;
import io.remuda.coordinator.store.row.PreparedStatements;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.SqlQueryRunner;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.store.row.StoredTable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/**
 * The state that a copy is written to. From before the first row until the last transaction its
 * {@code meta} says which state is copied into it, and with which epoch and how many commits; so no
 * server begins on it, and a later try knows whether it may go on.
 */
final class StateCopyWriter {

  private static final int DELETED_AT_ONCE = 10_000;

  private final WriterLockedState state;
  private final MetaTable source;
  private final PreparedStatements statements;

  private StateCopyWriter(WriterLockedState state, MetaTable source) throws SQLException {
    this.state = state;
    this.source = source;
    this.statements = new PreparedStatements(state.connection(), state.database().locked());
  }

  /**
   * Marks a state as the unfinished copy of another one.
   *
   * @param source the numbers of the other
   * @throws IOException if there is a state that is not an unfinished copy of it
   */
  static StateCopyWriter begin(WriterLockedState state, MetaTable source)
      throws SQLException, StoreDamagedException, IOException {
    if (state.database().version(state.connection()) == 0) {
      state.database().prepareTables(state.connection());
    }
    state.requireNewest();
    state.begin();
    StateCopyWriter target = new StateCopyWriter(state, source);
    MetaTable found = MetaTable.readUnfinished(state.connection());
    state.connection().rollback();
    long birth = found.number(MetaTable.COPYING);
    if (birth == 0) {
      target.requireEmpty(found);
      target.mark();
    } else if (birth != source.number(MetaTable.BIRTH)) {
      throw target.refusal("an unfinished copy of another state");
    } else if (target.isOlder(found)) {
      target.removeAll();
      target.mark();
    }
    return target;
  }

  /** Returns whether a server has worked with the other state since that copy began. */
  private boolean isOlder(MetaTable found) {
    return found.number(MetaTable.EPOCH) != source.number(MetaTable.EPOCH)
        || found.number(MetaTable.COMMITS) != source.number(MetaTable.COMMITS);
  }

  private void requireEmpty(MetaTable found)
      throws SQLException, StoreDamagedException, IOException {
    if (found.number(MetaTable.BIRTH) != 0) {
      List<Long> before =
          SqlQueryRunner.all(
              state.connection(),
              "SELECT birth FROM lineage ORDER BY number",
              row -> row.getLong(1));
      state.connection().rollback();
      throw refusal(
          before.contains(source.number(MetaTable.BIRTH))
              ? "a state that goes on from this one: a finished copy, which a server can use"
              : "another state");
    }
    for (StoredTable<?> table : RowMapping.COPIED) {
      if (state.count(table) > 0) {
        throw refusal("rows of another state in its table " + table.name());
      }
    }
  }

  private IOException refusal(String what) {
    return new IOException(
        state.name()
            + " has "
            + what
            + ": give an empty database or folder, or put that one aside first (a folder's with"
            + " remuda restore --empty)");
  }

  private void mark() throws SQLException {
    add(MetaTable.COPYING, source.number(MetaTable.BIRTH));
    add(MetaTable.EPOCH, source.number(MetaTable.EPOCH));
    add(MetaTable.COMMITS, source.number(MetaTable.COMMITS));
    statements.run();
    state.connection().commit();
  }

  private void add(String key, long number) {
    statements.put(RowMapping.META, Map.entry(key, Long.toString(number)));
  }

  private void removeAll() throws SQLException {
    for (StoredTable<?> table : RowMapping.COPIED) {
      try (PreparedStatement delete = state.connection().prepareStatement(table.deleteSome())) {
        delete.setInt(1, DELETED_AT_ONCE);
        while (delete.executeUpdate() > 0) {
          state.connection().commit();
        }
      }
      state.connection().commit();
    }
  }

  /** Adds rows of a table, in one transaction. */
  void add(StoredTable<?> table, List<CopiedRow> rows) throws SQLException {
    try (PreparedStatement insert = state.connection().prepareStatement(table.insert())) {
      for (CopiedRow row : rows) {
        row.storable().addTo(insert);
      }
      insert.executeBatch();
      state.connection().commit();
    }
  }

  /**
   * Makes the copy a state of its own: with a higher epoch, and a new birth after that of the other
   * state, whose attempts it knows.
   *
   * @param lineage of the other state, oldest first: births and last jobs
   */
  void complete(RowTotals jobs, RowTotals tasks, List<Map.Entry<Long, Long>> lineage)
      throws SQLException, StoreDamagedException {
    Connection connection = state.connection();
    MetaTable numbers = source.elsewhere();
    numbers.set(MetaTable.JOBS, jobs.sum());
    numbers.set(MetaTable.TASKS, tasks.sum());
    numbers.set(MetaTable.EPOCH, source.number(MetaTable.EPOCH) + 1);
    try (PreparedStatement insert = connection.prepareStatement(RowMapping.LINEAGE.insert());
        Statement unmark = connection.createStatement()) {
      for (Map.Entry<Long, Long> origin : lineage) {
        RowMapping.LINEAGE.set(insert, origin.getKey(), origin.getValue());
        insert.executeUpdate();
      }
      StateFileIdentity.renew(connection, numbers);
      numbers.write(statements);
      statements.run();
      unmark.executeUpdate("DELETE FROM meta WHERE key = '" + MetaTable.COPYING + "'");
      connection.commit();
    }
    state.database().committed(numbers.number(MetaTable.BIRTH), numbers.number(MetaTable.COMMITS));
  }
}
