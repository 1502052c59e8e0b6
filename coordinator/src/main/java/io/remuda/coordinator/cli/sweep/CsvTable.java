package io.remuda.coordinator.cli.sweep;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import io.remuda.coordinator.cli.sweep.SweepFileReader.BadSweepFileException;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A table with comma-separated values (RFC 4180), with names in its first row. */
final class CsvTable {

  private static final ObjectReader ROWS =
      new CsvMapper()
          .readerFor(JsonNode.class)
          .with(CsvSchema.emptySchema().withHeader())
          .with(CsvParser.Feature.SKIP_EMPTY_LINES)
          .with(CsvParser.Feature.TRIM_SPACES)
          .with(CsvParser.Feature.FAIL_ON_MISSING_COLUMNS);

  /** Spreadsheets put it in front of what they save as UTF-8. */
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private CsvTable() {}

  /** Returns the rows below the first, as objects whose fields are the columns. */
  static List<JsonNode> rows(byte[] content) throws BadSweepFileException {
    String text = SweepFileReader.text(content);
    text = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    if (text.isBlank()) {
      throw new BadSweepFileException("it is empty: its first row has the names of the columns");
    }
    List<JsonNode> rows;
    try (MappingIterator<JsonNode> read = ROWS.readValues(text)) {
      rows = read.readAll();
      checkNames((CsvSchema) read.getParserSchema());
    } catch (JsonProcessingException wrong) {
      throw new BadSweepFileException(fault(wrong));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // a text is read
    }
    if (rows.isEmpty()) {
      throw new BadSweepFileException("it has no row below the names of its columns");
    }
    return rows;
  }

  /** Refuses a first row that has values, or names that cannot be told apart. */
  private static void checkNames(CsvSchema columns) throws BadSweepFileException {
    Set<String> names = new HashSet<>();
    for (CsvSchema.Column column : columns) {
      String name = column.getName();
      if (!name.matches("\\p{L}.*|_.*")) {
        throw new BadSweepFileException(
            "its first row has the names of the columns, which begin with a letter, got '"
                + PrintableText.of(name)
                + "'");
      } else if (!names.add(name)) {
        throw new BadSweepFileException("two columns are named '" + PrintableText.of(name) + "'");
      }
    }
  }

  private static String fault(JsonProcessingException wrong) {
    return "a row has a value for each column of the first row"
        + (wrong.getLocation() == null ? "" : ": see line " + wrong.getLocation().getLineNr());
  }
}
