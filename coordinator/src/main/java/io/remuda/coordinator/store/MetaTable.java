package io.remuda.coordinator.store;

import io.remuda.agent.clock.TrustedTime;
import io.remuda.coordinator.store.row.PreparedStatements;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.StoreDamagedException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/**
 * The table {@code meta}: numbers of the whole state. Among them are the table checksums of jobs
 * and tasks, which are the sums of their row checksums. Single-threaded.
 */
public final class MetaTable {

  public static final String JOBS = "sum-of-jobs";
  public static final String TASKS = "sum-of-tasks";

  /** Highest sequence of an event that may have been removed; ensures that none is reused. */
  static final String LAST_EVENT = "last-event";

  /** Random number that distinguishes attempts of this file from those of another. */
  public static final String BIRTH = "birth";

  /** Number of transactions since the file has a birth. */
  public static final String COMMITS = "commits";

  /** The state of {@link io.remuda.agent.clock.TrustedTime}. */
  private static final String SEEN = "clock-seen";

  private static final String DOUBTED = "clock-doubted";
  private static final String STEADY = "clock-steady";

  /** Highest number ever assigned to a job. */
  static final String LAST_JOB = "last-job";

  /** Which server writes; each new one takes a higher number. */
  public static final String EPOCH = "epoch";

  /** The birth of the state of which this is a copy, as long as the copy is not finished. */
  public static final String COPYING = "copying-birth";

  private final Map<String, Long> numbers = new HashMap<>();

  /** The numbers in the file. */
  private final Map<String, Long> written = new HashMap<>();

  private MetaTable() {}

  /**
   * Reads the numbers of a state.
   *
   * @throws StoreDamagedException if one is damaged, or a copy into this state is not finished
   */
  public static MetaTable read(Connection connection) throws SQLException, StoreDamagedException {
    MetaTable checksums = readUnfinished(connection);
    if (checksums.number(COPYING) != 0) {
      throw new StoreDamagedException(
          "a copy into it is not finished: give the same remuda store copy again");
    }
    return checksums;
  }

  /** Reads the numbers of a state, into which a copy may be unfinished. */
  public static MetaTable readUnfinished(Connection connection)
      throws SQLException, StoreDamagedException {
    MetaTable checksums = new MetaTable();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM meta")) {
      while (row.next()) {
        Map.Entry<String, String> number = RowMapping.META.read(row);
        checksums.numbers.put(number.getKey(), Long.parseLong(number.getValue()));
      }
    }
    checksums.written.putAll(checksums.numbers);
    return checksums;
  }

  /** Returns a number, 0 if there is none of this name. */
  public long number(String key) {
    return numbers.getOrDefault(key, 0L);
  }

  public void set(String key, long value) {
    numbers.put(key, value);
  }

  void atLeast(String key, long value) {
    numbers.merge(key, value, Math::max);
  }

  /** Returns the state of the trusted time. */
  TrustedTime.ClockReading time() {
    return new TrustedTime.ClockReading(number(SEEN), number(DOUBTED), number(STEADY));
  }

  void setTime(TrustedTime.ClockReading known) {
    set(SEEN, known.seen());
    set(DOUBTED, known.doubted());
    set(STEADY, known.steady());
  }

  StateCommitCountFile.MarkContent said() {
    return new StateCommitCountFile.MarkContent(number(BIRTH), number(COMMITS));
  }

  /** Replaces the checksum of one row of a table; 0 stands for no row. */
  void replaced(String table, long before, long after) {
    numbers.merge(table, after - before, Long::sum);
  }

  public void compare(String table, long found) throws StoreDamagedException {
    if (number(table) != found) {
      throw new StoreDamagedException("rows are missing or old (" + table + ")");
    }
  }

  /** Counts a transaction, and adds the changed numbers to the statements. */
  public void write(PreparedStatements statements) {
    numbers.merge(COMMITS, 1L, Long::sum);
    for (Map.Entry<String, Long> number : numbers.entrySet()) {
      if (!number.getValue().equals(written.get(number.getKey()))) {
        statements.put(
            RowMapping.META, Map.entry(number.getKey(), Long.toString(number.getValue())));
      }
    }
  }

  /** Returns these numbers for another database, which has none of them yet. */
  public MetaTable elsewhere() {
    MetaTable copy = new MetaTable();
    copy.numbers.putAll(numbers);
    return copy;
  }

  /** Returns a copy for a transaction to change; these numbers must be committed. */
  MetaTable copy() {
    MetaTable copy = new MetaTable();
    copy.numbers.putAll(numbers);
    copy.written.putAll(numbers);
    return copy;
  }
}
