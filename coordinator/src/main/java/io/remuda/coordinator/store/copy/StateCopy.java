package io.remuda.coordinator.store.copy;

import io.remuda.coordinator.store.DatabaseBackend;
import io.remuda.coordinator.store.MetaTable;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.SqlQueryRunner;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.store.row.StoredTable;
import java.io.IOException;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Copies a state into another database, table by table in portions, each in a transaction. One that
 * was broken off goes on where it was when it is run again. At the end both sides are read and
 * compared; only then the copy becomes a state that a server can use.
 */
public final class StateCopy {

  private static final int ROWS_AT_ONCE = 2000;

  /** What is to happen when the copy is whole and before a server can use it. */
  public interface BeforeEnd {
    void run() throws IOException;
  }

  /**
   * What was copied.
   *
   * @param from name of the source
   * @param to name of the target
   * @param rows of each table, those of an earlier try too
   * @param now how many of all these rows were copied by this try
   */
  public record Summary(String from, String to, Map<String, Long> rows, long now) {}

  private final WriterLockedState source;
  private final WriterLockedState target;
  private final CopyProgressListener progress;
  private long copied;

  private StateCopy(
      WriterLockedState source, WriterLockedState target, CopyProgressListener progress) {
    this.source = source;
    this.target = target;
    this.progress = progress;
  }

  /**
   * Copies a state. Blocks.
   *
   * @param from remains as it is
   * @param to empty, or the unfinished copy of {@code from}
   * @throws io.remuda.coordinator.store.StateInUseException if a server uses one of them
   * @throws StoreDamagedException if one of them is damaged, or of a newer build
   * @throws IOException if {@code to} has another state, or one of them cannot be reached
   */
  public static Summary run(
      DatabaseBackend from, DatabaseBackend to, CopyProgressListener progress, BeforeEnd beforeEnd)
      throws IOException, StoreDamagedException {
    return run(from, to, progress, beforeEnd, ROWS_AT_ONCE);
  }

  /** Copies a state in portions of at most {@code rowsAtOnce} rows. */
  static Summary run(
      DatabaseBackend from,
      DatabaseBackend to,
      CopyProgressListener progress,
      BeforeEnd beforeEnd,
      int rowsAtOnce)
      throws IOException, StoreDamagedException {
    try (WriterLockedState source = WriterLockedState.toRead(from, rowsAtOnce)) {
      source.requireNewest();
      from.check(source.connection());
      source.begin();
      try (WriterLockedState target = WriterLockedState.toWrite(to, rowsAtOnce)) {
        return new StateCopy(source, target, progress).run(beforeEnd);
      }
    } catch (SQLException fault) {
      throw new IOException(
          "the copy from "
              + from.name()
              + " to "
              + to.name()
              + " is not finished: "
              + fault.getMessage()
              + ": give the command again, and it goes on",
          fault);
    }
  }

  private Summary run(BeforeEnd beforeEnd) throws SQLException, StoreDamagedException, IOException {
    MetaTable numbers = numbers();
    if (numbers.number(MetaTable.BIRTH) == 0) {
      throw new IOException(source.name() + " has no state: no server has used it");
    }
    StateCopyWriter into = StateCopyWriter.begin(target, numbers);
    for (StoredTable<?> table : RowMapping.COPIED) {
      copy(table, into);
    }
    Map<StoredTable<?>, RowTotals> totals = new LinkedHashMap<>();
    for (StoredTable<?> table : RowMapping.COPIED) {
      totals.put(table, compare(table, numbers));
    }
    List<Map.Entry<Long, Long>> lineage = lineage();
    requireUnchanged(numbers);
    beforeEnd.run();
    into.complete(totals.get(RowMapping.JOBS), totals.get(RowMapping.TASKS), lineage);
    Map<String, Long> rows = new LinkedHashMap<>();
    totals.forEach((table, total) -> rows.put(table.name(), total.rows()));
    return new Summary(source.name(), target.name(), rows, copied);
  }

  private MetaTable numbers() throws SQLException, StoreDamagedException {
    try {
      return MetaTable.read(source.connection());
    } catch (StoreDamagedException damaged) {
      throw new StoreDamagedException(source.name() + ": " + damaged.getMessage(), damaged);
    } finally {
      source.connection().rollback();
    }
  }

  private void copy(StoredTable<?> table, StateCopyWriter into)
      throws SQLException, StoreDamagedException {
    long all = source.count(table);
    long done = target.count(table);
    List<CopiedRow> rows = source.rows(table, target.last(table));
    while (!rows.isEmpty()) {
      into.add(table, rows);
      done += rows.size();
      copied += rows.size();
      progress.at(CopyProgressListener.Phase.COPIED, table.name(), done, all);
      rows = source.rows(table, rows.get(rows.size() - 1));
    }
  }

  /**
   * Reads a table on both sides.
   *
   * @param numbers of the source
   * @return what the rows of the target are together
   * @throws StoreDamagedException if the two differ, or rows are missing in the source
   */
  private RowTotals compare(StoredTable<?> table, MetaTable numbers)
      throws SQLException, StoreDamagedException {
    long all = source.count(table);
    RowTotals asStored = RowTotals.NONE;
    RowTotals expected = RowTotals.NONE;
    RowTotals found = RowTotals.NONE;
    List<CopiedRow> rows = source.rows(table, null);
    while (!rows.isEmpty()) {
      for (CopiedRow row : rows) {
        asStored = asStored.with(row);
        expected = expected.with(row.storable());
      }
      rows = source.rows(table, rows.get(rows.size() - 1));
    }
    List<CopiedRow> copies = target.rows(table, null);
    while (!copies.isEmpty()) {
      for (CopiedRow row : copies) {
        found = found.with(row);
      }
      progress.at(CopyProgressListener.Phase.COMPARED, table.name(), found.rows(), all);
      copies = target.rows(table, copies.get(copies.size() - 1));
    }
    requireAll(table, asStored, numbers);
    if (!found.equals(expected)) {
      throw new StoreDamagedException(
          ("table %s has %d rows in %s and %d in %s, or they differ: the copy is not finished; empty"
                  + " %s and give the command again")
              .formatted(
                  table.name(),
                  expected.rows(),
                  source.name(),
                  found.rows(),
                  target.name(),
                  target.name()));
    }
    return found;
  }

  private void requireAll(StoredTable<?> table, RowTotals found, MetaTable numbers)
      throws StoreDamagedException {
    try {
      if (table == RowMapping.JOBS) {
        numbers.compare(MetaTable.JOBS, found.sum());
      } else if (table == RowMapping.TASKS) {
        numbers.compare(MetaTable.TASKS, found.sum());
      }
    } catch (StoreDamagedException missing) {
      throw new StoreDamagedException(source.name() + ": " + missing.getMessage(), missing);
    }
  }

  private List<Map.Entry<Long, Long>> lineage() throws SQLException, StoreDamagedException {
    try {
      return SqlQueryRunner.all(
          source.connection(), "SELECT * FROM lineage ORDER BY number", RowMapping.LINEAGE::read);
    } finally {
      source.connection().rollback();
    }
  }

  /** Throws if anybody has written into the source in spite of the lock. */
  private void requireUnchanged(MetaTable before) throws SQLException, StoreDamagedException {
    MetaTable now = numbers();
    for (String key : List.of(MetaTable.EPOCH, MetaTable.COMMITS)) {
      if (now.number(key) != before.number(key)) {
        throw new StoreDamagedException(
            source.name()
                + " was changed while it was copied: end the server that uses it with remuda stop"
                + " --keep, and give the command again");
      }
    }
  }
}
