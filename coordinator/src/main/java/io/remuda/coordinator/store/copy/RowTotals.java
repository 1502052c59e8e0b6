package io.remuda.coordinator.store.copy;

import io.remuda.coordinator.store.row.RowChecksum;

/**
 * What all rows of a table are together, which is the same on both sides of a copy.
 *
 * @param rows how many
 * @param sum of their checksums, as {@code meta} has it of jobs and tasks
 * @param content sum of the checksums of all columns, also of those that the row's own leaves out
 */
record RowTotals(long rows, long sum, long content) {

  static final RowTotals NONE = new RowTotals(0, 0, 0);

  RowTotals with(CopiedRow row) {
    return new RowTotals(rows + 1, sum + row.sum(), content + RowChecksum.of(row.values()));
  }
}
