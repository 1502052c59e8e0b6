package io.remuda.coordinator.cli.sweep;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
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
final class SweepFiles {

  /** As much as a submission may have. */
  private static final int MOST_BYTES = 16 << 20;

  private static final ObjectReader JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES) // 0.10 stays 0.10
          .build()
          .readerFor(JsonNode.class);

  /** Thrown for a file with another content than it should have; the message is for users. */
  static final class BadSweepFile extends Exception {
    private static final long serialVersionUID = 1;

    BadSweepFile(String message) {
      super(message);
    }
  }

  private SweepFiles() {}

  /** Returns the content of a file, or of stdin for {@code -}. */
  static byte[] read(String file) throws IOException, BadSweepFile {
    try (InputStream in =
        file.equals("-")
            ? new BufferedInputStream(
                new FileInputStream(FileDescriptor.in)) // a pipe has no length
            : Files.newInputStream(Path.of(file))) {
      byte[] content = in.readNBytes(MOST_BYTES + 1);
      if (content.length > MOST_BYTES) {
        throw new BadSweepFile(
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
  static List<String> lines(byte[] content) throws BadSweepFile {
    String text = text(content);
    if (text.isEmpty()) {
      throw new BadSweepFile("it is empty, so the job would have no task");
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

  /** Returns the values of a list in JSON. */
  static List<JsonNode> entries(byte[] content) throws BadSweepFile {
    JsonNode list;
    try {
      list = JSON.readValue(text(content));
    } catch (JsonProcessingException wrong) {
      String where =
          wrong.getLocation() == null
              ? ""
              : " in line "
                  + wrong.getLocation().getLineNr()
                  + ", column "
                  + wrong.getLocation().getColumnNr();
      throw new BadSweepFile(
          "it is not JSON"
              + where
              + ": "
              + wrong.getOriginalMessage().lines().findFirst().orElse(""));
    }
    if (list == null || !list.isArray() || list.isEmpty()) {
      throw new BadSweepFile("it must be a list with a value for each task, as [{\"lr\": 0.1}]");
    }
    List<JsonNode> entries = new ArrayList<>();
    list.forEach(entries::add);
    return entries;
  }

  private static String text(byte[] content) throws BadSweepFile {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException other) {
      throw new BadSweepFile("it has bytes that are not UTF-8");
    }
  }
}
