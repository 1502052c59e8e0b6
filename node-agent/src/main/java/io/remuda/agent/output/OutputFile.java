package io.remuda.agent.output;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * The output file of a task, parts of which may be dropped while it is read.
 *
 * @param path path of the file
 */
public record OutputFile(Path path) {

  /**
   * A part of the output.
   *
   * @param offset offset of the first byte
   * @param bytes empty at the end
   * @param size size of the whole output so far, including dropped bytes
   * @param dropped number of dropped bytes between the requested offset and {@code offset}
   */
  public record OutputSlice(long offset, byte[] bytes, long size, long dropped) {}

  /**
   * Reads a part.
   *
   * @param offset offset of the first byte; negative to count from the end
   * @param limit maximum number of bytes
   * @throws NoSuchFileException if it is missing or was moved during the read
   */
  public OutputSlice read(long offset, int limit) throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    try (RandomAccessFile input = RegularFile.open(path)) { // the task may have put a pipe there
      while (true) {
        Optional<DroppedRange> dropped = DroppedRange.of(path);
        OutputSlice part = read(input, offset, limit, dropped);
        if (DroppedRange.of(path).equals(dropped)) {
          requireNotMoved();
          return part;
        }
      }
    }
  }

  /** Throws if the file was moved: its note has moved too and may have been missed. */
  private void requireNotMoved() throws NoSuchFileException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path + " was moved");
    }
  }

  private static OutputSlice read(
      RandomAccessFile input, long offset, int limit, Optional<DroppedRange> noted)
      throws IOException {
    long size = input.length();
    Optional<DroppedRange> dropped = noted.filter(range -> range.to() <= size); // else truncated
    long asked = Math.max(0, Math.min(offset < 0 ? size + offset : offset, size));
    long start = Math.min(size, dropped.map(range -> range.skip(asked)).orElse(asked));
    long end =
        dropped.map(DroppedRange::from).filter(from -> start < from && from < size).orElse(size);
    byte[] bytes = new byte[(int) Math.min(limit, end - start)];
    input.seek(start);
    int length = Math.max(0, input.read(bytes));
    return new OutputSlice(start, Arrays.copyOf(bytes, length), size, start - asked);
  }
}
