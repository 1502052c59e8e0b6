package io.remuda.coordinator.store.warm;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.JobSpecCodec;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.SqlQueryRunner;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The rows of live jobs in one table, by key, each with its checksum. A row whose checksum is that
 * of the database is not read again. Not thread-safe.
 *
 * @param <K> key of a row
 * @param <V> the decoded row
 */
public final class WarmTable<K, V> {

  /** A row. */
  public record Row<K, V>(K key, long sum, V value) {}

  /** Learns of each row before it is kept, for example to count its bytes. */
  public interface Seen<K, V, E extends Exception> {
    /** Takes a row. */
    void row(K key, V value) throws E;
  }

  /** Rows asked for in one query. */
  private static final int AT_ONCE = 1000;

  private static final String ENDED =
      Arrays.stream(TaskState.values())
          .filter(TaskState::isFinal)
          .map(state -> "'" + state.name() + "'")
          .collect(Collectors.joining(",", "(", ")"));

  private final String keys;
  private final String rows;
  private final SqlQueryRunner.RowMapper<K> key;
  private final SqlQueryRunner.RowMapper<V> value;
  private final Function<K, String> literal;
  private final Map<K, Row<K, V>> kept = new HashMap<>();

  private WarmTable(
      String keys,
      String rows,
      SqlQueryRunner.RowMapper<K> key,
      SqlQueryRunner.RowMapper<V> value,
      Function<K, String> literal) {
    this.keys = keys;
    this.rows = rows;
    this.key = key;
    this.value = value;
    this.literal = literal;
  }

  /** Returns the table of live jobs, without rows. */
  static WarmTable<JobId, JobRow> ofJobs() {
    return new WarmTable<>(
        "SELECT id, sum FROM jobs WHERE state NOT IN " + ENDED + " ORDER BY id",
        "SELECT * FROM jobs WHERE id IN ",
        row -> new JobId(row.getLong("id")),
        row -> RowMapping.JOBS.read(row).withoutLongKey(),
        id -> Long.toString(id.value()));
  }

  /** Returns the table of what live jobs were asked for, without rows. */
  static WarmTable<JobId, JobSpecCodec.Alike> ofSpecs() {
    return new WarmTable<>(
        "SELECT specs.job AS job, specs.sum AS sum FROM specs JOIN jobs ON jobs.id = specs.job"
            + " WHERE jobs.state NOT IN "
            + ENDED,
        "SELECT * FROM specs WHERE job IN ",
        row -> new JobId(row.getLong("job")),
        row -> JobSpecCodec.parse(RowMapping.SPECS.read(row).body()),
        id -> Long.toString(id.value()));
  }

  /** Returns the table of the tasks of live jobs, without rows. */
  static WarmTable<TaskId, TaskRow> ofTasks() {
    return new WarmTable<>(
        "SELECT tasks.job AS job, tasks.idx AS idx, tasks.sum AS sum FROM tasks JOIN jobs"
            + " ON jobs.id = tasks.job WHERE jobs.state NOT IN "
            + ENDED
            + " ORDER BY tasks.job, tasks.idx",
        "SELECT * FROM tasks WHERE (job, idx) IN ",
        row -> new TaskId(new JobId(row.getLong("job")), row.getInt("idx")),
        RowMapping.TASKS::read,
        id -> "(" + id.job().value() + "," + id.index() + ")");
  }

  /**
   * Returns all rows of live jobs as the database has them, in the order of their keys.
   *
   * @throws StoreDamagedException if a row is damaged, or was removed meanwhile
   */
  public <E extends Exception> List<Row<K, V>> live(Connection connection, Seen<K, V, E> seen)
      throws SQLException, StoreDamagedException, E {
    List<Row<K, V>> all =
        SqlQueryRunner.all(
            connection,
            keys,
            row -> {
              K found = key.from(row);
              long sum = row.getLong("sum");
              Row<K, V> known = kept.get(found);
              return known != null && known.sum() == sum ? known : new Row<>(found, sum, null);
            });
    List<K> missing = new ArrayList<>();
    for (Row<K, V> each : all) {
      if (each.value() == null) {
        missing.add(each.key());
      } else {
        seen.row(each.key(), each.value());
      }
    }
    for (int from = 0; from < missing.size(); from += AT_ONCE) {
      for (Row<K, V> read :
          read(connection, missing.subList(from, Math.min(missing.size(), from + AT_ONCE)))) {
        seen.row(read.key(), read.value());
        kept.put(read.key(), read);
      }
    }
    if (!missing.isEmpty()) {
      for (int i = 0; i < all.size(); i++) {
        if (all.get(i).value() == null) {
          all.set(i, found(all.get(i).key()));
        }
      }
    }
    return all;
  }

  private Row<K, V> found(K sought) throws StoreDamagedException {
    Row<K, V> row = kept.get(sought);
    if (row == null) {
      throw new StoreDamagedException("the row of " + sought + " was removed meanwhile");
    }
    return row;
  }

  /** Reads rows; those that are not there are left out. */
  private List<Row<K, V>> read(Connection connection, Collection<K> sought)
      throws SQLException, StoreDamagedException {
    return SqlQueryRunner.all(
        connection,
        rows + sought.stream().map(literal).collect(Collectors.joining(",", "(", ")")),
        row -> new Row<>(key.from(row), row.getLong("sum"), value.from(row)));
  }

  /** Reads some rows again, whether they are known or not, and keeps those that are there. */
  List<V> refresh(Connection connection, List<K> changed)
      throws SQLException, StoreDamagedException {
    List<V> found = new ArrayList<>();
    for (int from = 0; from < changed.size(); from += AT_ONCE) {
      List<K> part = changed.subList(from, Math.min(changed.size(), from + AT_ONCE));
      part.forEach(kept::remove);
      for (Row<K, V> row : read(connection, part)) {
        kept.put(row.key(), row);
        found.add(row.value());
      }
    }
    return found;
  }

  /** Returns the rows that are kept, in no order. */
  public Collection<Row<K, V>> rows() {
    return Collections.unmodifiableCollection(kept.values());
  }

  /** Returns a table of the same rows. */
  WarmTable<K, V> copy() {
    WarmTable<K, V> copy = new WarmTable<>(keys, rows, key, value, literal);
    copy.kept.putAll(kept);
    return copy;
  }

  int size() {
    return kept.size();
  }

  void clear() {
    kept.clear();
  }

  void forget(K gone) {
    kept.remove(gone);
  }
}
