package io.remuda.coordinator.simulate;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;

/** A table of a CSV file with a heading, perhaps compressed by gzip; without quoted values. */
final class CsvTable {

  private static final int GZIP_MAGIC = 0x1f;
  private static final double MILLIS = 1000;

  /** A line of the table. */
  final class Row {
    private final int line;
    private final List<String> values;

    private Row(int line, List<String> values) {
      this.line = line;
      this.values = values;
    }

    /** Returns a value without surrounding blanks, perhaps empty. */
    String text(String column) {
      return values.get(columns.get(column));
    }

    /** Returns a value that no other row has in this column; {@code used} has those so far. */
    String unique(String column, Set<String> used) throws BadTableException {
      String text = text(column);
      if (text.isEmpty() || !used.add(text)) {
        throw wrong(column, text.isEmpty() ? "a name" : "a name that no line above has");
      }
      return text;
    }

    /** Returns a whole number, also if it is written as 8.0. */
    long whole(String column, long least, long most) throws BadTableException {
      String text = text(column);
      try {
        double number = Double.parseDouble(text);
        if (number >= least && number <= most && number == Math.rint(number)) {
          return (long) number;
        }
      } catch (NumberFormatException refused) {
        throw wrong(column, range(least, most), refused);
      }
      throw wrong(column, range(least, most));
    }

    /**
     * Returns seconds as milliseconds.
     *
     * @param leastMillis the least that is allowed
     * @param mostSeconds the most that is allowed
     * @param expected what is allowed, in words
     */
    long millis(String column, long leastMillis, long mostSeconds, String expected)
        throws BadTableException {
      try {
        double seconds = Double.parseDouble(text(column));
        double millis = Math.rint(seconds * MILLIS);
        if (millis >= leastMillis && seconds <= mostSeconds) {
          return (long) millis;
        }
      } catch (NumberFormatException refused) {
        throw wrong(column, "a number of seconds, " + expected, refused);
      }
      throw wrong(column, "a number of seconds, " + expected);
    }

    private String range(long least, long most) {
      return "a whole number "
          + (most == Long.MAX_VALUE ? "of " + least + " or more" : "from " + least + " to " + most);
    }

    BadTableException wrong(String column, String expected) {
      return wrong(column, expected, null);
    }

    private BadTableException wrong(String column, String expected, Throwable cause) {
      return new BadTableException(
          file
              + ":"
              + line
              + ": "
              + column
              + " must be "
              + expected
              + ", got '"
              + text(column)
              + "'",
          cause);
    }
  }

  private final Path file;
  private final Map<String, Integer> columns = new HashMap<>();
  private final List<Row> rows = new ArrayList<>();

  private CsvTable(Path file) {
    this.file = file;
  }

  /**
   * Reads a table.
   *
   * @param file as the user has named it
   * @param finder returns where that is
   * @param needed columns that it must have, in any order; others are ignored
   */
  static CsvTable read(Path file, UnaryOperator<Path> finder, List<String> needed)
      throws IOException, BadTableException {
    CsvTable table = new CsvTable(file);
    CharsetDecoder strict = StandardCharsets.UTF_8.newDecoder();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(open(finder.apply(file)), strict))) {
      table.readAll(lines, needed);
    } catch (NoSuchFileException missing) {
      throw new BadTableException(file + ": there is no such file", missing);
    } catch (java.nio.charset.CharacterCodingException broken) {
      throw new BadTableException(file + ": it is not UTF-8 text", broken);
    }
    return table;
  }

  private static InputStream open(Path file) throws IOException {
    PushbackInputStream in = new PushbackInputStream(Files.newInputStream(file));
    int first = in.read();
    if (first >= 0) {
      in.unread(first);
    }
    return first == GZIP_MAGIC ? new GZIPInputStream(in) : in;
  }

  private void readAll(BufferedReader lines, List<String> needed)
      throws IOException, BadTableException {
    String heading = lines.readLine();
    List<String> names = heading == null ? List.of() : cells(heading);
    Set<String> missing = new HashSet<>(needed);
    for (int i = 0; i < names.size(); i++) {
      columns.putIfAbsent(names.get(i), i);
      missing.remove(names.get(i));
    }
    if (!missing.isEmpty()) {
      throw new BadTableException(
          file
              + ":1: the heading must have the columns "
              + String.join(",", needed)
              + ", got '"
              + (heading == null ? "" : heading)
              + "'");
    }
    int number = 1;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      number++;
      if (!line.isBlank()) {
        List<String> values = cells(line);
        if (values.size() != names.size()) {
          throw new BadTableException(
              file
                  + ":"
                  + number
                  + ": it must have "
                  + names.size()
                  + " values, got '"
                  + line
                  + "'");
        }
        rows.add(new Row(number, values));
      }
    }
  }

  private static List<String> cells(String line) {
    return Arrays.stream(line.split(",", -1)).map(String::strip).toList();
  }

  List<Row> rows() {
    return rows;
  }
}
