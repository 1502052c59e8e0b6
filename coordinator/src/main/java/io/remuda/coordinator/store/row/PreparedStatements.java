package io.remuda.coordinator.store.row;

import io.remuda.coordinator.usage.UsageKey;
import io.remuda.coordinator.usage.UsageTotals;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The statements of nearly every commit, prepared once: preparing them took as long as running them
 * for a few rows. Single-threaded.
 */
public final class PreparedStatements {

  private static final Logger LOG = LoggerFactory.getLogger(PreparedStatements.class);

  /** The tables, in an order in which each row is written after the rows it refers to. */
  public enum Table {
    ENVIRONMENTS("environments", "hash", "body, sum") {
      @Override
      String otherwise(List<String> columns) {
        return "DO NOTHING"; // the same hash, the same body
      }
    },
    SPECS("specs", "job", "body, environment, sum"),
    JOBS(
        "jobs",
        "id",
        "uuid, \"user\", name, state, first, tasks, submitted, started, ended, reason,"
            + " exit_code, open, client_key, epochs, gang, sum"),
    TASKS(
        "tasks",
        "job, idx",
        "state, attempt, node, devices, started, ended, interruptions, crashes, overdue, cause,"
            + " \"end\", seat, gpu_memory, gpu_floor, memory_floor, tag, preemptions,"
            + " lost_millis, training, gpus, sum"),
    PROFILES("profiles", "\"user\", type", "body, updated, sum"),
    USAGE("usage", "day, \"user\", type, node", "body, sum"),
    EVENTS("events", "sequence", "at, job, task, what, detail, sum"),
    NOTICES("notices", "number", "content, sum"),
    META("meta", "key", "value, sum");

    private final String sql;
    private final int keys;

    /** Writes a row or replaces that with its key. The words are quoted that SQL has taken. */
    Table(String table, String key, String columns) {
      List<String> all = List.of((key + ", " + columns).split(", "));
      this.keys = key.split(", ").length;
      this.sql =
          "INSERT INTO "
              + table
              + " ("
              + String.join(", ", all)
              + ") VALUES (?"
              + ", ?".repeat(all.size() - 1)
              + ") ON CONFLICT ("
              + key
              + ") "
              + otherwise(all.subList(keys, all.size()));
    }

    /** Returns what to do if there is a row with the key. */
    String otherwise(List<String> columns) {
      return columns.stream()
          .map(column -> column + " = excluded." + column)
          .collect(Collectors.joining(", ", "DO UPDATE SET ", ""));
    }

    /** Returns what tells a row from the others of the table. */
    private List<Object> key(Object[] columns) {
      return Arrays.asList(columns).subList(0, keys);
    }
  }

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

  private final Map<Table, PreparedStatement> inserts = new EnumMap<>(Table.class);

  /** The rows to write, by key: of several with one key only the last is written. */
  private final Map<Table, Map<List<Object>, Object[]>> added = new EnumMap<>(Table.class);

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
    for (Table table : Table.values()) {
      inserts.put(table, connection.prepareStatement(table.sql));
      added.put(table, new LinkedHashMap<>());
    }
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
      return row.next() ? Optional.of(RowMapping.usage(row).totals()) : Optional.empty();
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

  /** Adds a row for {@link #run}; its checksum is the last column. */
  public void add(Table table, Object[] columns, long sum) {
    Object[] row = Arrays.copyOf(columns, columns.length + 1);
    row[columns.length] = sum;
    added.get(table).put(table.key(row), row);
  }

  /** Writes the added rows. */
  public void run() throws SQLException {
    for (Map.Entry<Table, Map<List<Object>, Object[]>> rows : added.entrySet()) {
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
