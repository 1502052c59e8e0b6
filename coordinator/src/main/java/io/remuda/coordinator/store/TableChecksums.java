package io.remuda.coordinator.store;

import io.remuda.agent.clock.TrustedTime;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/**
 * The table {@code meta}: numbers of the whole file, among them the sum of the row sums of the
 * tables from which live jobs are read. One thread.
 */
final class TableChecksums {

  static final String JOBS = "sum-of-jobs";
  static final String TASKS = "sum-of-tasks";

  /** Highest sequence of an event that may have gone: none is given twice. */
  static final String LAST_EVENT = "last-event";

  /** By which attempts of this file are told from those of another. */
  static final String BIRTH = "birth";

  /** How many transactions there were, since there is a birth. */
  static final String COMMITS = "commits";

  /** What {@link io.remuda.agent.clock.TrustedTime} knows. */
  private static final String SEEN = "clock-seen";

  private static final String DOUBTED = "clock-doubted";
  private static final String STEADY = "clock-steady";

  /** Highest number of a job that there ever was. */
  static final String LAST_JOB = "last-job";

  private final Map<String, Long> numbers = new HashMap<>();

  /** As they are in the file. */
  private final Map<String, Long> written = new HashMap<>();

  private TableChecksums() {}

  static TableChecksums read(Connection connection) throws SQLException, StoreDamaged {
    TableChecksums checksums = new TableChecksums();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM meta")) {
      while (row.next()) {
        String key = row.getString("key");
        String value = row.getString("value");
        RowMapping.check(row, "meta " + key, key, value);
        checksums.numbers.put(key, Long.parseLong(value));
      }
    }
    checksums.written.putAll(checksums.numbers);
    return checksums;
  }

  long number(String key) {
    return numbers.getOrDefault(key, 0L);
  }

  void set(String key, long value) {
    numbers.put(key, value);
  }

  void atLeast(String key, long value) {
    numbers.merge(key, value, Math::max);
  }

  /** What is known of the time. */
  TrustedTime.ClockReading time() {
    return new TrustedTime.ClockReading(number(SEEN), number(DOUBTED), number(STEADY));
  }

  void setTime(TrustedTime.ClockReading known) {
    set(SEEN, known.seen());
    set(DOUBTED, known.doubted());
    set(STEADY, known.steady());
  }

  StateMark.MarkContent said() {
    return new StateMark.MarkContent(number(BIRTH), number(COMMITS));
  }

  /** A row of the table has another sum now; 0 stands for no row. */
  void replaced(String table, long before, long after) {
    numbers.merge(table, after - before, Long::sum);
  }

  void compare(String table, long found) throws StoreDamaged {
    if (number(table) != found) {
      throw new StoreDamaged("rows are missing or old (" + table + ")");
    }
  }

  /** Counts a transaction, and adds what has changed to what is to be run. */
  void write(PreparedStatements statements) throws SQLException {
    numbers.merge(COMMITS, 1L, Long::sum);
    for (Map.Entry<String, Long> number : numbers.entrySet()) {
      if (number.getValue().equals(written.get(number.getKey()))) {
        continue;
      }
      Object[] columns = {number.getKey(), Long.toString(number.getValue())};
      statements.add(PreparedStatements.Table.META, columns, RowChecksum.of(columns));
    }
  }

  /** What a transaction may change, once these are in the file. */
  TableChecksums copy() {
    TableChecksums copy = new TableChecksums();
    copy.numbers.putAll(numbers);
    copy.written.putAll(numbers);
    return copy;
  }
}
