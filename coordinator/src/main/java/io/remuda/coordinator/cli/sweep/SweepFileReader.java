package io.remuda.coordinator.cli.sweep;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.agent.commandline.Caller;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads files that have something for each task of a job. */
final class SweepFileReader {

  /** As much as a submission may have. */
  private static final int MOST_BYTES = 16 << 20;

  /** Characters of a file that a message shows. */
  private static final int EXCERPT = 40;

  private static final ObjectReader JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES) // 0.10 stays 0.10
          .build()
          .readerFor(JsonNode.class);

  /** Thrown for a file with another content than it should have; the message is for users. */
  static final class BadSweepFileException extends Exception {
    private static final long serialVersionUID = 1;

    BadSweepFileException(String message) {
      super(message);
    }
  }

  private SweepFileReader() {}

  /** Returns the content of a file, or of stdin for {@code -}. */
  static byte[] read(String file, Caller caller) throws IOException, BadSweepFileException {
    try (InputStream in =
        file.equals("-") ? caller.in() : Files.newInputStream(caller.resolve(Path.of(file)))) {
      byte[] content = in.readNBytes(MOST_BYTES + 1);
      if (content.length > MOST_BYTES) {
        throw new BadSweepFileException(
            "more than " + (MOST_BYTES >> 20) + " MiB: give each task the name of a file instead");
      }
      return content;
    }
  }

  /** Returns a fault for users: Java's message of a missing file is just its name. */
  static String words(IOException fault) {
    if (fault instanceof NoSuchFileException) {
      return "there is no such file";
    }
    return fault instanceof AccessDeniedException ? "permission denied" : fault.getMessage();
  }

  /** Returns the lines, without what ends them. */
  static List<String> lines(byte[] content) throws BadSweepFileException {
    String text = text(content);
    if (text.isEmpty()) {
      throw new BadSweepFileException("it is empty, so the job would have no task");
    }
    List<String> lines = new ArrayList<>();
    for (int begin = 0; begin < text.length(); ) {
      int end = text.indexOf('\n', begin);
      end = end < 0 ? text.length() : end;
      boolean windows = end > begin && text.charAt(end - 1) == '\r';
      lines.add(text.substring(begin, windows ? end - 1 : end));
      begin = end + 1;
    }
    return lines;
  }

  /** Returns the values of a list in JSON, or those that follow each other, as in JSON lines. */
  static List<JsonNode> entries(byte[] content) throws BadSweepFileException {
    String text = text(content);
    List<JsonNode> entries;
    try (JsonParser in = JSON.createParser(text)) {
      entries = values(in, text);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // a text is read
    }
    if (entries.size() == 1 && entries.get(0).isArray()) {
      JsonNode list = entries.remove(0);
      list.forEach(entries::add);
    }
    if (entries.isEmpty()) {
      throw new BadSweepFileException(
          "it must have a value for each task: a list, as [{\"lr\": 0.1}], or a value on each line");
    }
    return entries;
  }

  private static List<JsonNode> values(JsonParser in, String text)
      throws IOException, BadSweepFileException {
    List<JsonNode> values = new ArrayList<>();
    try {
      while (in.nextToken() != null) {
        values.add(JSON.readTree(in));
      }
    } catch (JsonProcessingException wrong) {
      JsonLocation at = wrong.getLocation() == null ? in.currentLocation() : wrong.getLocation();
      throw new BadSweepFileException(fault(wrong, at, text));
    }
    return values;
  }

  /** Returns what is wrong and where; Jackson's own words name its classes. */
  private static String fault(JsonProcessingException wrong, JsonLocation at, String text) {
    String where = " in line " + at.getLineNr() + ", column " + at.getColumnNr();
    if (wrong instanceof JsonEOFException) {
      return "it ends within a value," + where;
    } else if (wrong instanceof StreamConstraintsException) {
      return "a value is nested too deep, or a number too long," + where;
    }
    int offset = (int) Math.max(0, Math.min(at.getCharOffset(), text.length()));
    String rest = text.substring(offset).lines().findFirst().orElse("");
    return "it is not JSON"
        + where
        + (rest.isEmpty()
            ? ""
            : ": " + PrintableText.of(rest.substring(0, Math.min(rest.length(), EXCERPT))));
  }

  /** Decodes a whole file. */
  static String text(byte[] content) throws BadSweepFileException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException other) {
      throw new BadSweepFileException("it has bytes that are not UTF-8");
    }
  }
}
