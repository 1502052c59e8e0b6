package io.remuda.coordinator.store.copy;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A column of a table that is copied.
 *
 * @param kind what is in it, unless it is null
 */
record StoredColumn(String name, ColumnKind kind) {

  /** What a column has. */
  enum ColumnKind {
    TEXT,
    WHOLE_NUMBER,
    FRACTION
  }

  static StoredColumn text(String name) {
    return new StoredColumn(name, ColumnKind.TEXT);
  }

  static StoredColumn whole(String name) {
    return new StoredColumn(name, ColumnKind.WHOLE_NUMBER);
  }

  static StoredColumn fraction(String name) {
    return new StoredColumn(name, ColumnKind.FRACTION);
  }

  /** Returns its name as SQL has it, also of a word that SQL has taken. */
  String quoted() {
    return '"' + name + '"';
  }

  /**
   * Returns what the rows are sorted by. The order of texts depends on the database unless it is
   * that of their bytes.
   *
   * @param byBytes name of that order
   */
  String sortedBy(String byBytes) {
    return kind == ColumnKind.TEXT ? quoted() + " COLLATE \"" + byBytes + '"' : quoted();
  }

  /**
   * Returns what a row has in this column: a text, a {@code Long}, a {@code Double} or null.
   *
   * @param index of the column in the query, from 1
   */
  Object read(ResultSet row, int index) throws SQLException {
    if (kind == ColumnKind.TEXT) {
      return row.getString(index);
    }
    Object number =
        kind == ColumnKind.FRACTION ? row.getDouble(index) : (Object) row.getLong(index);
    return row.wasNull() ? null : number;
  }
}
