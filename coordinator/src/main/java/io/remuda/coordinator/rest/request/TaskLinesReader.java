package io.remuda.coordinator.rest.request;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.remuda.coordinator.jobfield.FieldLimit;
import io.remuda.coordinator.jobfield.JobField;
import io.remuda.worker.job.sweep.CompactTextList;
import java.io.IOException;
import java.io.StringWriter;

/**
 * Reads a list as lines, one for each task: of texts, or in the field {@code entries} of any
 * values, each as JSON with its numbers as they are written. They do not count as values of the
 * request, because they are kept in one text.
 */
final class TaskLinesReader {

  private static final JsonFactory JSON = new JsonFactory();

  private final JobField<?> field;
  private final FieldLimit limit;

  TaskLinesReader(JobField<?> field) {
    this.field = field;
    this.limit = field.limit();
  }

  CompactTextList read(JsonParser in) throws IOException {
    boolean any = field.type() == JobField.Type.ENTRIES;
    if (!in.hasToken(JsonToken.START_ARRAY)) {
      throw StrictValues.bad(
          in,
          field.name()
              + " must be a list"
              + (any ? "" : " of texts")
              + ", got "
              + StrictValues.got(in));
    }
    StringBuilder all = new StringBuilder();
    int lines = 0;
    while (in.nextToken() != JsonToken.END_ARRAY) {
      if (++lines > limit.items()) {
        throw StrictValues.bad(
            in, field.name() + " has at most " + limit.items() + " entries, got more");
      }
      String line = any ? json(in) : text(in);
      check(in, line, lines);
      all.append(lines == 1 ? "" : "\n").append(line);
    }
    if (lines == 0) {
      throw StrictValues.bad(in, field.name() + " is empty, so the job would have no task");
    }
    return CompactTextList.of(all.toString());
  }

  private String text(JsonParser in) throws IOException {
    if (!in.hasToken(JsonToken.VALUE_STRING)) {
      throw StrictValues.bad(
          in, field.name() + " must be a list of texts, got " + StrictValues.got(in));
    }
    return in.getText();
  }

  private void check(JsonParser in, String line, int number) throws IOException {
    String what = field.name() + ", number " + number + ", ";
    if (line.length() > limit.text()) {
      throw StrictValues.bad(
          in, what + "has at most " + limit.text() + " characters, got " + line.length());
    }
    if (line.indexOf('\n') >= 0 || line.indexOf('\0') >= 0 || line.contains("\\u0000")) {
      throw StrictValues.bad(in, what + "has a line break or a NUL character");
    }
    if (!UnicodeCheck.isWhole(line)) {
      throw StrictValues.bad(
          in, "half of a surrogate pair stands alone in " + field.name() + ": it has no UTF-8");
    }
  }

  /** Returns the current value as JSON in one line. */
  private static String json(JsonParser in) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = JSON.createGenerator(text)) {
      int depth = 0;
      do {
        JsonToken token = in.currentToken();
        if (token.isNumeric()) {
          out.writeNumber(in.getText());
        } else {
          out.copyCurrentEvent(in);
        }
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      } while (depth > 0 && in.nextToken() != null);
    }
    return text.toString();
  }
}
