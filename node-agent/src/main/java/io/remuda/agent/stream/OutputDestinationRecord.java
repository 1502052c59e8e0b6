package io.remuda.agent.stream;

import io.remuda.agent.output.OutputFile.OutputSlice;
import io.remuda.agent.output.RegularFile;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.json.PlainJson;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * What is known of the files that a user has chosen for a task's output, kept in the task's folder.
 *
 * @param outFrom size of the file for stdout when the task started; what is before is of others
 * @param errFrom the same of stderr
 * @param merged whether stderr goes to the file of stdout
 * @param shared path of the file that has the stdout of all tasks of the job, or null
 * @param sharedErr the same of stderr, or null
 */
public record OutputDestinationRecord(
    long outFrom, long errFrom, boolean merged, String shared, String sharedErr) {

  private static final String NAME = "streams";
  private static final String KEPT = "output.kept";

  /** Returns the note of a task's folder; empty if its output is in its own files. */
  public static Optional<OutputDestinationRecord> in(Path folder) throws IOException {
    Path note = folder.resolve(NAME);
    return note.toFile().exists() // mostly not
        ? Optional.of(
            PlainJson.MAPPER.readValue(Files.readAllBytes(note), OutputDestinationRecord.class))
        : Optional.empty();
  }

  /** Returns the path of the file that has a stream of all tasks of the job; empty if none has. */
  public Optional<String> shared(OutputStreamName stream) {
    boolean out = merged || stream == OutputStreamName.OUT;
    return Optional.ofNullable(out ? shared : sharedErr);
  }

  /** Notes why a task's output is in its own files, though it was to be in another one. */
  static void noteKept(Path folder, String why) throws IOException {
    Files.writeString(folder.resolve(KEPT), why);
  }

  /** Returns why a task's output is in its own files alone; empty if it should be. */
  public static Optional<String> kept(Path folder) {
    Path note = folder.resolve(KEPT);
    if (!note.toFile().exists()) { // mostly not
      return Optional.empty();
    }
    try {
      return Optional.of(Files.readString(note));
    } catch (IOException unreadable) {
      return Optional.empty(); // it is only said
    }
  }

  void write(Path folder) throws IOException {
    Files.write(folder.resolve(NAME), PlainJson.MAPPER.writeValueAsBytes(this));
  }

  /**
   * Reads what the task has added to a file.
   *
   * @param from size of the file when the task started
   * @param offset offset of the first byte from there; negative to count from the end
   * @param limit maximum number of bytes
   */
  static OutputSlice read(Path file, long from, long offset, int limit) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) { // such as /dev/null
      return new OutputSlice(0, new byte[0], 0, 0);
    }
    try (RandomAccessFile input = RegularFile.open(file)) {
      long size = input.length();
      long base = size < from ? 0 : from; // somebody has emptied it
      long start = Math.min(size, offset < 0 ? Math.max(base, size + offset) : base + offset);
      byte[] bytes = new byte[(int) Math.min(limit, size - start)];
      input.seek(start);
      int length = Math.max(0, input.read(bytes));
      return new OutputSlice(start - base, Arrays.copyOf(bytes, length), size - base, 0);
    }
  }

  /** Reads a part of stdout. */
  public OutputSlice readOut(Path file, long offset, int limit) throws IOException {
    return read(file, outFrom, offset, limit);
  }

  /** Reads a part of stderr, which has nothing if it goes to the file of stdout. */
  public OutputSlice readErr(Path file, long offset, int limit) throws IOException {
    return merged ? new OutputSlice(0, new byte[0], 0, 0) : read(file, errFrom, offset, limit);
  }
}
