package io.remuda.coordinator.store.row;

import io.remuda.coordinator.usage.UsageKey;
import io.remuda.coordinator.usage.UsageTotals;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The statements of nearly every commit, prepared once: preparing them took as long as running them
 * for a few rows. Single-threaded.
 */
public final class PreparedStatements {

  private static final Logger LOG = LoggerFactory.getLogger(PreparedStatements.class);

  private static final int MOST_KEPT_USAGE = 1000;

  private final PreparedStatement epoch;
  private final PreparedStatement commits;
  private final PreparedStatement usage;
  private final PreparedStatement usageRows;

  /** The rows of usage that were written last, as they are stored. */
  private final Map<UsageKey, UsageTotals> keptUsage =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UsageKey, UsageTotals> eldest) {
          return size() > MOST_KEPT_USAGE;
        }
      };

  private final Connection connection;

  /** In an order in which each row is written after the rows it refers to. */
  private final Map<StoredTable<?>, PreparedStatement> inserts = new LinkedHashMap<>();

  /** The rows to write, by key: of several with one key only the last is written. */
  private final Map<StoredTable<?>, Map<List<Object>, Object[]>> added = new LinkedHashMap<>();

  /**
   * @param locked the end of a query for a row that no other transaction may change meanwhile
   */
  public PreparedStatements(Connection connection, String locked) throws SQLException {
    epoch = connection.prepareStatement("SELECT value FROM meta WHERE key = 'epoch'" + locked);
    commits = connection.prepareStatement("SELECT value FROM meta WHERE key = 'commits'");
    usage =
        connection.prepareStatement(
            "SELECT * FROM usage WHERE day = ? AND \"user\" = ? AND type = ? AND node = ?");
    usageRows =
        connection.prepareStatement("SELECT count(*) FROM usage WHERE day = ? AND \"user\" = ?");
    this.connection = connection;
    for (StoredTable<?> table : RowMapping.COPIED) {
      prepare(table);
    }
    prepare(RowMapping.META);
  }

  private void prepare(StoredTable<?> table) throws SQLException {
    inserts.put(table, connection.prepareStatement(table.upsert()));
    added.put(table, new LinkedHashMap<>());
  }

  /** Reads the current epoch, in digits; empty if there is none. */
  public String epoch() throws SQLException {
    return value(epoch);
  }

  /** Reads the number of transactions, in digits; empty if there is none. */
  public String commits() throws SQLException {
    return value(commits);
  }

  /**
   * Returns what is stored as used under a key; empty if that is nothing, and anew if it is
   * damaged. It is read once: only this writer changes it.
   */
  public Optional<UsageTotals> usage(UsageKey key) throws SQLException {
    UsageTotals kept = keptUsage.get(key);
    return kept == null ? readUsage(key) : Optional.of(kept);
  }

  /** Records what a transaction has stored as used, once it is committed. */
  public void keepUsage(Map<UsageKey, UsageTotals> rows) {
    keptUsage.putAll(rows);
  }

  private Optional<UsageTotals> readUsage(UsageKey key) throws SQLException {
    usage.setLong(1, key.day());
    usage.setString(2, key.user());
    usage.setString(3, key.type());
    usage.setString(4, key.node());
    try (ResultSet row = usage.executeQuery()) {
      return row.next() ? Optional.of(RowMapping.USAGE.read(row).totals()) : Optional.empty();
    } catch (StoreDamagedException damaged) {
      LOG.error("its count begins anew: {}", damaged.getMessage());
      return Optional.of(UsageTotals.NONE);
    }
  }

  /** Returns how many rows of usage there are of a key's day and user. */
  public int usageRows(UsageKey key) throws SQLException {
    usageRows.setLong(1, key.day());
    usageRows.setString(2, key.user());
    try (ResultSet row = usageRows.executeQuery()) {
      return row.next() ? row.getInt(1) : 0;
    }
  }

  private static String value(PreparedStatement query) throws SQLException {
    try (ResultSet row = query.executeQuery()) {
      return row.next() ? row.getString(1) : "";
    }
  }

  /** Adds a row for {@link #run}, and returns its checksum. */
  public <R> long put(StoredTable<R> table, R row) {
    Object[] written = table.written(row);
    added.get(table).put(List.of(table.key(written)), written);
    return (Long) written[written.length - 1];
  }

  /** Removes the row with a key, after writing the added rows, of which it may be one. */
  public void delete(StoredTable<?> table, Object... key) throws SQLException {
    update(table.delete(), key);
  }

  /** Runs a statement after writing the added rows. */
  public void update(String sql, Object... values) throws SQLException {
    run();
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        update.setObject(i + 1, values[i]);
      }
      update.executeUpdate();
    }
  }

  /** Writes the added rows. */
  public void run() throws SQLException {
    for (Map.Entry<StoredTable<?>, Map<List<Object>, Object[]>> rows : added.entrySet()) {
      if (rows.getValue().isEmpty()) {
        continue;
      }
      PreparedStatement insert = inserts.get(rows.getKey());
      for (Object[] row : rows.getValue().values()) {
        for (int i = 0; i < row.length; i++) {
          insert.setObject(i + 1, row[i]);
        }
        insert.addBatch();
      }
      insert.executeBatch();
      rows.getValue().clear();
    }
  }

  /** Drops the added rows that {@link #run} has not written. */
  public void clear() {
    added.values().forEach(Map::clear);
    for (PreparedStatement insert : inserts.values()) {
      try {
        insert.clearBatch();
      } catch (SQLException closed) {
        return; // a closed connection runs nothing more
      }
    }
  }
}
