package io.remuda.coordinator.store.copy;

import io.remuda.coordinator.store.row.StoreDamagedException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * A row, whose checksum is right.
 *
 * @param values in the order of the table's columns
 * @param sum its checksum
 */
record CopiedRow(CopiedTable table, Object[] values, long sum) {

  /**
   * Reads a row.
   *
   * @throws StoreDamagedException if its checksum is wrong
   */
  static CopiedRow read(CopiedTable table, ResultSet row)
      throws SQLException, StoreDamagedException {
    List<StoredColumn> columns = table.columns();
    Object[] values = new Object[columns.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = columns.get(i).read(row, i + 1);
    }
    long sum = row.getLong(values.length + 1);
    if (sum != table.sum(values)) {
      throw new StoreDamagedException(table.nameOf(values) + " is not what was written");
    }
    return new CopiedRow(table, values, sum);
  }

  /** Returns what tells it from the others of its table. */
  Object[] key() {
    return table.key(values);
  }

  /** Returns about how many bytes it takes. */
  long size() {
    long size = 0;
    for (Object value : values) {
      size += value instanceof String text ? text.length() : Long.BYTES;
    }
    return size;
  }

  /**
   * Returns the row as any database can hold it: PostgreSQL has no place for NUL characters, which
   * early builds have written.
   */
  CopiedRow storable() {
    Object[] storable = values.clone();
    boolean same = true;
    for (int i = 0; i < storable.length; i++) {
      if (storable[i] instanceof String text && text.indexOf('\0') >= 0) {
        storable[i] = text.replace('\0', '\ufffd');
        same = false;
      }
    }
    return same ? this : new CopiedRow(table, storable, table.sum(storable));
  }

  /** Adds it to a batch of {@link CopiedTable#insert}. */
  void addTo(PreparedStatement insert) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      insert.setObject(i + 1, values[i]);
    }
    insert.setLong(values.length + 1, sum);
    insert.addBatch();
  }
}
