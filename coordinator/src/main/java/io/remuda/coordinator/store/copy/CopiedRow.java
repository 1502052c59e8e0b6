package io.remuda.coordinator.store.copy;

import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.store.row.StoredTable;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A row, whose checksum is right.
 *
 * @param values in the order of the table's columns
 * @param sum its checksum
 */
record CopiedRow(StoredTable<?> table, Object[] values, long sum) {

  /**
   * Reads a row.
   *
   * @throws StoreDamagedException if its checksum is wrong
   */
  static CopiedRow read(StoredTable<?> table, ResultSet row)
      throws SQLException, StoreDamagedException {
    return new CopiedRow(table, table.readValues(row), row.getLong("sum"));
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
    Object[] storable = StoredTable.storable(values);
    return new CopiedRow(table, storable, table.sum(storable));
  }

  /** Adds it to a batch of {@link StoredTable#insert}. */
  void addTo(PreparedStatement insert) throws SQLException {
    table.set(insert, values);
    insert.addBatch();
  }
}
