package io.remuda.coordinator.store.copy;

import static io.remuda.coordinator.store.copy.StoredColumn.fraction;
import static io.remuda.coordinator.store.copy.StoredColumn.text;
import static io.remuda.coordinator.store.copy.StoredColumn.whole;

import io.remuda.coordinator.store.row.RowChecksum;
import io.remuda.coordinator.store.row.RowMapping;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The tables that are copied row by row, each in the order of its key. The numbers of the state
 * ({@code meta}) and its lineage are few and are written at the end.
 */
enum CopiedTable {
  ENVIRONMENTS("environments", List.of(text("hash")), List.of(text("body"))),
  SPECS("specs", List.of(whole("job")), List.of(text("body"), text("environment"))) {
    /** The body contains the environment's hash. */
    @Override
    long sum(Object[] values) {
      return RowChecksum.of(values[0], values[1]);
    }
  },
  JOBS(
      "jobs",
      List.of(whole("id")),
      List.of(
          text("uuid"),
          text("user"),
          text("name"),
          text("state"),
          text("first"),
          whole("tasks"),
          whole("submitted"),
          whole("started"),
          whole("ended"),
          text("reason"),
          whole("exit_code"),
          text("open"),
          text("client_key"),
          text("epochs"),
          text("gang"))) {
    @Override
    long sum(Object[] values) {
      return RowMapping.sumOfJob(values);
    }
  },
  TASKS(
      "tasks",
      List.of(whole("job"), whole("idx")),
      List.of(
          text("state"),
          whole("attempt"),
          text("node"),
          text("devices"),
          whole("started"),
          whole("ended"),
          whole("interruptions"),
          whole("crashes"),
          whole("overdue"),
          text("cause"),
          text("end"),
          whole("seat"),
          whole("gpu_memory"),
          whole("gpu_floor"),
          whole("memory_floor"),
          text("tag"),
          whole("preemptions"),
          whole("lost_millis"),
          text("training"),
          whole("gpus"))) {
    @Override
    long sum(Object[] values) {
      return RowMapping.sumOfTask(values);
    }
  },
  PROFILES(
      "profiles", List.of(text("user"), text("type")), List.of(text("body"), whole("updated"))),
  USAGE(
      "usage",
      List.of(whole("day"), text("user"), text("type"), text("node")),
      List.of(text("body"))),
  EVENTS(
      "events",
      List.of(whole("sequence")),
      List.of(whole("at"), whole("job"), whole("task"), text("what"), text("detail"))),
  USERS(
      "users",
      List.of(text("name")),
      List.of(fraction("share"), text("token_hash"), fraction("used"), text("limits"))) {
    /** The use changes without the row. */
    @Override
    long sum(Object[] values) {
      return RowMapping.sumOfUser(values[0], values[1], values[2], values[4]);
    }
  },
  NOTICES("notices", List.of(whole("number")), List.of(text("content"))),
  DRAINED("drained", List.of(text("node")), List.of(text("reason"))) {
    @Override
    long sum(Object[] values) {
      return RowMapping.sumOfDrained(values);
    }
  },
  DRAINED_GPUS("drained_gpus", List.of(text("node"), text("gpu")), List.of(text("reason")));

  private final String table;
  private final List<StoredColumn> key;
  private final List<StoredColumn> columns;

  CopiedTable(String table, List<StoredColumn> key, List<StoredColumn> others) {
    this.table = table;
    this.key = key;
    this.columns = new ArrayList<>(key);
    this.columns.addAll(others);
  }

  String table() {
    return table;
  }

  /** Returns all columns but the checksum, the key first. */
  List<StoredColumn> columns() {
    return columns;
  }

  /** Returns the checksum of a row. */
  long sum(Object[] values) {
    return RowChecksum.of(values);
  }

  /** Returns what tells a row from the others. */
  Object[] key(Object[] values) {
    return Arrays.copyOf(values, key.size());
  }

  /** Returns the name of a row in messages. */
  String nameOf(Object[] values) {
    StringBuilder name = new StringBuilder("the row of table " + table);
    for (int i = 0; i < key.size(); i++) {
      name.append(i == 0 ? " with " : ", ").append(key.get(i).name()).append(' ');
      name.append(values[i]);
    }
    return name.toString();
  }

  /**
   * Returns a query for some rows after one.
   *
   * @param byBytes see {@link StoredColumn#sortedBy}
   */
  String rowsAfter(String byBytes) {
    String after = "(" + sorted(byBytes, "") + ") > (?" + ", ?".repeat(key.size() - 1) + ")";
    return rows() + " WHERE " + after + " ORDER BY " + sorted(byBytes, "") + " LIMIT ?";
  }

  /** Returns a query for the first rows. */
  String firstRows(String byBytes) {
    return rows() + " ORDER BY " + sorted(byBytes, "") + " LIMIT ?";
  }

  /** Returns a query for the last row. */
  String lastRow(String byBytes) {
    return rows() + " ORDER BY " + sorted(byBytes, " DESC") + " LIMIT 1";
  }

  private String rows() {
    return "SELECT " + names(columns) + ", sum FROM " + table;
  }

  private String sorted(String byBytes, String direction) {
    return key.stream()
        .map(column -> column.sortedBy(byBytes) + direction)
        .collect(Collectors.joining(", "));
  }

  private static String names(List<StoredColumn> columns) {
    return columns.stream().map(StoredColumn::quoted).collect(Collectors.joining(", "));
  }

  /** Returns the statement that adds a row: the columns, and then the checksum. */
  String insert() {
    return "INSERT INTO "
        + table
        + " ("
        + names(columns)
        + ", sum) VALUES (?"
        + ", ?".repeat(columns.size())
        + ")";
  }

  /** Returns the statement that removes some rows, whichever they are. */
  String deleteSome() {
    String keys = names(key);
    return "DELETE FROM "
        + table
        + " WHERE ("
        + keys
        + ") IN (SELECT "
        + keys
        + " FROM "
        + table
        + " LIMIT ?)";
  }
}
