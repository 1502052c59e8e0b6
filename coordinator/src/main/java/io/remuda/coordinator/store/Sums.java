package io.remuda.coordinator.store;

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
final class Sums {

  static final String JOBS = "sum-of-jobs";
  static final String TASKS = "sum-of-tasks";

  /** Highest sequence of an event that may have gone: none is given twice. */
  static final String LAST_EVENT = "last-event";

  /** Highest number of a job that there ever was. */
  static final String LAST_JOB = "last-job";

  private final Map<String, Long> numbers = new HashMap<>();

  private Sums() {}

  static Sums read(Connection connection) throws SQLException, StoreDamaged {
    Sums sums = new Sums();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM meta")) {
      while (row.next()) {
        String key = row.getString("key");
        String value = row.getString("value");
        Rows.check(row, "meta " + key, key, value);
        sums.numbers.put(key, Long.parseLong(value));
      }
    }
    return sums;
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

  /** A row of the table has another sum now; 0 stands for no row. */
  void replaced(String table, long before, long after) {
    numbers.merge(table, after - before, Long::sum);
  }

  void compare(String table, long found) throws StoreDamaged {
    if (number(table) != found) {
      throw new StoreDamaged("rows are missing or old (" + table + ")");
    }
  }

  /** Adds them to what is to be run. */
  void write(Statements statements) throws SQLException {
    for (Map.Entry<String, Long> number : numbers.entrySet()) {
      Object[] columns = {number.getKey(), Long.toString(number.getValue())};
      statements.add(Statements.Table.META, columns, RowSum.of(columns));
    }
  }

  Sums copy() {
    Sums copy = new Sums();
    copy.numbers.putAll(numbers);
    return copy;
  }
}
