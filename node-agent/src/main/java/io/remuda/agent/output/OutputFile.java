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
    return read(offset, limit, RegularFile::open); // the task may have put a pipe there
  }

  /**
   * Reads a part as {@link #read(long, int)} does, of this file alone.
   *
   * @throws IOException also if another file, or a symbolic link, has its name
   */
  public OutputSlice read(long offset, int limit, FileIdentity identity) throws IOException {
    return read(offset, limit, file -> RegularFile.open(file, identity));
  }

  private interface Opening {
    RandomAccessFile of(Path file) throws IOException;
  }

  private OutputSlice read(long offset, int limit, Opening opening) throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    try (RandomAccessFile input = opening.of(path)) {
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
    byte[] part = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    return new OutputSlice(start, part, size, start - asked);
  }
}
