package io.remuda.coordinator.store.row;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Runs queries and converts their rows. */
public final class SqlQueryRunner {

  /** Converts a row and checks its checksum. */
  public interface RowMapper<T> {
    T from(ResultSet row) throws SQLException, StoreDamagedException;
  }

  private SqlQueryRunner() {}

  /** Returns all rows of a query; {@code values} replace its question marks. */
  public static <T> List<T> all(
      Connection connection, String sql, RowMapper<T> read, Object... values)
      throws SQLException, StoreDamagedException {
    List<T> all = new ArrayList<>();
    each(
        connection,
        sql,
        read,
        value -> {
          all.add(value);
          return true;
        },
        values);
    return all;
  }

  /** Passes the rows of a query to {@code more} one by one until it returns false. */
  public static <T> void each(
      Connection connection, String sql, RowMapper<T> read, Predicate<T> more, Object... values)
      throws SQLException, StoreDamagedException {
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        query.setObject(i + 1, values[i]);
      }
      try (ResultSet row = query.executeQuery()) {
        boolean go = true;
        while (go && row.next()) {
          go = more.test(read.from(row));
        }
      }
    }
  }
}
