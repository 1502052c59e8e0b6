package io.remuda.agent.output;

import io.remuda.file.AtomicFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A range of an output file that was dropped; the file has a hole there. The range is written to a
 * note beside the file before the hole is made. So a reader that reads zeros and then finds no note
 * has read real output.
 *
 * @param from first byte
 * @param to first byte after the range
 */
public record DroppedRange(long from, long to) {

  private static final String SUFFIX = ".dropped";

  public DroppedRange {
    if (from < 0 || to <= from) {
      throw new IllegalArgumentException("a range must have bytes, got " + from + " to " + to);
    }
  }

  public long bytes() {
    return to - from;
  }

  /** Returns the first byte at or after {@code offset} that is not dropped. */
  long skip(long offset) {
    return offset >= from && offset < to ? to : offset;
  }

  private static Path note(Path output) {
    return output.resolveSibling(output.getFileName() + SUFFIX);
  }

  /** Returns the range in the note of an output file; empty if there is none. */
  static Optional<DroppedRange> of(Path output) throws IOException {
    Path note = note(output);
    if (!note.toFile().exists()) { // nearly always; an exception is expensive
      return Optional.empty();
    }
    try {
      String[] words = Files.readString(note).trim().split(" ");
      return Optional.of(new DroppedRange(Long.parseLong(words[0]), Long.parseLong(words[1])));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException damaged) {
      throw new IOException(note + " is damaged", damaged);
    }
  }

  /** Writes the note durably and replaces an earlier one. */
  void write(Path output) throws IOException {
    Path draft = output.resolveSibling(output.getFileName() + SUFFIX + ".new");
    byte[] text = (from + " " + to + "\n").getBytes(StandardCharsets.US_ASCII);
    try (FileChannel file =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      file.write(ByteBuffer.wrap(text));
      file.force(false);
    }
    AtomicFile.replace(draft, note(output));
  }

  /** Removes the note. */
  static void remove(Path output) throws IOException {
    Files.deleteIfExists(note(output));
  }
}
