package io.remuda.coordinator.store.row;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A table of the state, described once for both databases: its columns, its key, and how a row is
 * written and read. Its statements, its checksums and its copy come from that. Thread-safe.
 *
 * @param <R> a row of it
 */
public final class StoredTable<R> {

  /** What a column has unless it is null. */
  private enum Kind {
    TEXT,
    WHOLE_NUMBER,
    FRACTION
  }

  /** What a column is to its row. */
  private enum Part {
    USUAL,
    /** Of a later schema: not in the checksum while it and those after it are 0 or empty. */
    LATER,
    /** Told by the key: never replaced. */
    FIXED,
    /** Not in the checksum, because another column contains it. */
    REPEATED,
    /** Neither in the checksum nor written with the row, because it changes without it. */
    SEPARATE
  }

  /** A column. */
  record Column<R>(String name, Kind kind, Part part, Function<R, Object> value) {

    private String quoted() {
      return '"' + name + '"';
    }

    /** Returns a text, a {@code Long}, a {@code Double} or null. */
    private Object read(ResultSet row) throws SQLException {
      if (kind == Kind.TEXT) {
        return row.getString(name);
      }
      Object number = kind == Kind.FRACTION ? row.getDouble(name) : (Object) row.getLong(name);
      return row.wasNull() ? null : number;
    }
  }

  /** Makes a row of its values. */
  interface Reader<R> {
    R from(Values values) throws StoreDamagedException;
  }

  /** The values of a row, taken one after the other in the order of the columns. */
  static final class Values {
    private final Object[] values;
    private int next;

    private Values(Object[] values) {
      this.values = values;
    }

    Object any() {
      return values[next++];
    }

    String text() {
      return (String) any();
    }

    long whole() {
      return (Long) any();
    }

    int count() {
      return (int) whole();
    }

    /** Returns what a text of JSON says, {@code none} if it is null or empty. */
    <T> T json(Class<T> type, T none) throws StoreDamagedException {
      String text = text();
      if (text == null || text.isEmpty()) {
        return none;
      }
      try {
        return RowMapping.JSON.readValue(text, type);
      } catch (JsonProcessingException fault) {
        throw new StoreDamagedException("cannot read '" + text + "'", fault);
      }
    }

    /** Returns a list, which mostly is empty. */
    <T> List<T> list(Class<T[]> type) throws StoreDamagedException {
      if (RowMapping.NONE.equals(values[next])) {
        next++;
        return List.of();
      }
      return List.of(json(type, null));
    }
  }

  private final String name;
  private final String row;
  private final int keys;
  private final Reader<R> reader;
  private final List<Column<R>> columns;
  private final List<Column<R>> written;
  private final int[] summed;
  private final long later;

  /**
   * @param row what messages call a row
   * @param keys how many of the columns are the key, from the first
   */
  @SafeVarargs
  StoredTable(String name, String row, int keys, Reader<R> reader, Column<R>... columns) {
    this.name = name;
    this.row = row;
    this.keys = keys;
    this.reader = reader;
    this.columns = List.of(columns);
    this.written = this.columns.stream().filter(column -> column.part != Part.SEPARATE).toList();
    this.summed =
        this.columns.stream()
            .filter(column -> column.part.compareTo(Part.REPEATED) < 0)
            .mapToInt(this.columns::indexOf)
            .toArray();
    this.later = this.columns.stream().filter(column -> column.part == Part.LATER).count();
  }

  static <R> Column<R> text(String name, Function<R, Object> value) {
    return new Column<>(name, Kind.TEXT, Part.USUAL, value);
  }

  static <R> Column<R> whole(String name, Function<R, Object> value) {
    return new Column<>(name, Kind.WHOLE_NUMBER, Part.USUAL, value);
  }

  static <R> Column<R> fraction(String name, Function<R, Object> value) {
    return new Column<>(name, Kind.FRACTION, Part.USUAL, value);
  }

  static <R> Column<R> fixed(Column<R> column) {
    return new Column<>(column.name, column.kind, Part.FIXED, column.value);
  }

  static <R> Column<R> later(Column<R> column) {
    return new Column<>(column.name, column.kind, Part.LATER, column.value);
  }

  static <R> Column<R> repeated(Column<R> column) {
    return new Column<>(column.name, column.kind, Part.REPEATED, column.value);
  }

  static <R> Column<R> separate(Column<R> column) {
    return new Column<>(column.name, column.kind, Part.SEPARATE, column.value);
  }

  public String name() {
    return name;
  }

  /** Returns the names of all columns but the checksum, the key first. */
  public List<String> columns() {
    return columns.stream().map(Column::name).toList();
  }

  /** Returns the values of a row in the order of the columns. */
  public Object[] values(R row) {
    Object[] values = new Object[columns.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = columns.get(i).value.apply(row);
    }
    return storable(values);
  }

  /**
   * Returns values as any database can hold them: PostgreSQL has no place for NUL characters, which
   * users may send and early builds have written.
   */
  public static Object[] storable(Object[] values) {
    Object[] storable = values.clone();
    for (int i = 0; i < storable.length; i++) {
      if (storable[i] instanceof String text && text.indexOf('\0') >= 0) {
        storable[i] = text.replace('\0', '\ufffd');
      }
    }
    return storable;
  }

  /** Returns the checksum of a row by its values in the order of the columns. */
  public long sum(Object[] values) {
    Object[] parts = new Object[summed.length];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = values[summed[i]];
    }
    int length = parts.length;
    while (length > parts.length - later && isNone(parts[length - 1])) {
      length--;
    }
    return RowChecksum.of(Arrays.copyOf(parts, length));
  }

  private static boolean isNone(Object column) {
    return column instanceof Number number && number.longValue() == 0 || "".equals(column);
  }

  /**
   * Reads the values of a row, each column once: a server may read a hundred thousand when it
   * starts.
   *
   * @param found has all columns and {@code sum}
   * @throws StoreDamagedException naming the row, if the checksum is wrong
   */
  public Object[] readValues(ResultSet found) throws SQLException, StoreDamagedException {
    Object[] values = new Object[columns.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = columns.get(i).read(found);
    }
    if (found.getLong("sum") != sum(values)) {
      throw new StoreDamagedException(
          Arrays.stream(key(values))
              .map(String::valueOf)
              .collect(
                  Collectors.joining(".", "the row of " + row + " ", " is not what was written")));
    }
    return values;
  }

  /**
   * Reads a row.
   *
   * @throws StoreDamagedException if it is not what was written
   */
  public R read(ResultSet row) throws SQLException, StoreDamagedException {
    return reader.from(new Values(readValues(row)));
  }

  /** Returns what tells a row from the others. */
  public Object[] key(Object[] values) {
    return Arrays.copyOf(values, keys);
  }

  /** Returns those values that are written with the row, and the checksum. */
  Object[] written(R row) {
    Object[] values = values(row);
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      if (columns.get(i).part != Part.SEPARATE) {
        all.add(values[i]);
      }
    }
    all.add(sum(values));
    return all.toArray();
  }

  /** Returns the statement that writes {@link #written} or replaces the row with its key. */
  String upsert() {
    List<String> replaced =
        written.subList(keys, written.size()).stream()
            .filter(column -> column.part != Part.FIXED)
            .map(column -> column.quoted() + " = excluded." + column.quoted() + ", ")
            .toList();
    return insert(written)
        + " ON CONFLICT ("
        + names(columns.subList(0, keys))
        + (replaced.isEmpty()
            ? ") DO NOTHING"
            : ") DO UPDATE SET " + String.join("", replaced) + "sum = excluded.sum");
  }

  /** Returns the statement that adds a row: all columns, and then the checksum. */
  public String insert() {
    return insert(columns);
  }

  private String insert(List<Column<R>> some) {
    String marks = "?, ".repeat(some.size());
    return "INSERT INTO " + name + " (" + names(some) + ", sum) VALUES (" + marks + "?)";
  }

  /** Sets the question marks of {@link #insert()}. */
  public void set(PreparedStatement insert, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      insert.setObject(i + 1, values[i]);
    }
    insert.setLong(values.length + 1, sum(values));
  }

  /** Returns the statement that removes the row with a key. */
  public String delete() {
    return "DELETE FROM "
        + name
        + columns.subList(0, keys).stream()
            .map(column -> column.quoted() + " = ?")
            .collect(Collectors.joining(" AND ", " WHERE ", ""));
  }

  /** Returns the statement that removes some rows, whichever they are. */
  public String deleteSome() {
    String key = names(columns.subList(0, keys));
    String some = "SELECT " + key + " FROM " + name + " LIMIT ?";
    return "DELETE FROM " + name + " WHERE (" + key + ") IN (" + some + ")";
  }

  /**
   * Returns a query for some rows after one, by key.
   *
   * @param byBytes name of the order of texts by their bytes; any other depends on the database
   */
  public String rowsAfter(String byBytes) {
    String after = "(" + sorted(byBytes, "") + ") > (?" + ", ?".repeat(keys - 1) + ")";
    return rows() + " WHERE " + after + " ORDER BY " + sorted(byBytes, "") + " LIMIT ?";
  }

  /** Returns a query for the first rows by key. */
  public String firstRows(String byBytes) {
    return rows() + " ORDER BY " + sorted(byBytes, "") + " LIMIT ?";
  }

  /** Returns a query for the last row by key. */
  public String lastRow(String byBytes) {
    return rows() + " ORDER BY " + sorted(byBytes, " DESC") + " LIMIT 1";
  }

  private String rows() {
    return "SELECT " + names(columns) + ", sum FROM " + name;
  }

  private String sorted(String byBytes, String direction) {
    String byText = " COLLATE \"" + byBytes + '"';
    return columns.subList(0, keys).stream()
        .map(column -> column.quoted() + (column.kind == Kind.TEXT ? byText : "") + direction)
        .collect(Collectors.joining(", "));
  }

  /** Returns names as SQL has them, also of words that SQL has taken. */
  private static <R> String names(List<Column<R>> some) {
    return some.stream().map(Column::quoted).collect(Collectors.joining(", "));
  }
}
