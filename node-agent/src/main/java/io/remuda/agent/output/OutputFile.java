package io.remuda.agent.output;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A file that a task prints to, while parts of it may be dropped.
 *
 * @param path where it is
 */
public record OutputFile(Path path) {

  /**
   * A part of what was printed.
   *
   * @param offset of the first of the bytes
   * @param bytes none at the end
   * @param size of all that was printed so far, dropped or not
   * @param dropped so many bytes between what was asked for and {@code offset} are gone
   */
  public record OutputSlice(long offset, byte[] bytes, long size, long dropped) {}

  /**
   * Reads a part.
   *
   * @param offset of its first byte; from the end if negative
   * @param limit most bytes to read
   * @throws NoSuchFileException if it is not there, or was moved while it was read
   */
  public OutputSlice read(long offset, int limit) throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    try (RandomAccessFile input = new RandomAccessFile(path.toFile(), "r")) {
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

  /** Then the notes about it were moved, too, and may not have been seen. */
  private void requireNotMoved() throws NoSuchFileException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path + " was moved");
    }
  }

  private static OutputSlice read(
      RandomAccessFile input, long offset, int limit, Optional<DroppedRange> noted)
      throws IOException {
    long size = input.length();
    Optional<DroppedRange> dropped = noted.filter(range -> range.to() <= size); // else cut off
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
