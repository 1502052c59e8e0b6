package io.remuda.coordinator.curve;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * A file of records, each a name and a content, that is appended to. What a crash has left half
 * written at its end is ignored and cut off by the next record. A record is the lengths of name and
 * content and the CRC-32C of both, four bytes each, the name and the content.
 */
final class RecordFile {

  private static final int HEAD = 12;
  private static final int MOST_NAME = 200;
  private static final int MOST_CONTENT = 16 << 20;

  /** Receives the records of a file, in their order. */
  interface Reader {

    /** Returns whether the content of a record is wanted. */
    default boolean wants(String name) {
      return true;
    }

    void take(String name, byte[] content) throws IOException;
  }

  private RecordFile() {}

  /** Opens a file to append to it, of which the half record at the end is cut off. */
  static FileChannel open(Path file) throws IOException {
    return open(file, Files.exists(file) ? readNames(file, name -> {}) : 0);
  }

  /** Passes on the names of the records of a file, in their order; see {@link #read}. */
  static long readNames(Path file, Consumer<String> into) throws IOException {
    return read(file, new Names(into));
  }

  /**
   * Opens a file to append to it.
   *
   * @param end bytes of whole records
   */
  static FileChannel open(Path file, long end) throws IOException {
    FileChannel to =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    to.truncate(end);
    to.position(end);
    return to;
  }

  /** Wants no content. */
  private record Names(Consumer<String> into) implements Reader {
    @Override
    public boolean wants(String name) {
      into.accept(name);
      return false;
    }

    @Override
    public void take(String name, byte[] content) {
      throw new IllegalStateException("nothing is wanted, got " + name);
    }
  }

  /**
   * Appends a record to an open file.
   *
   * @throws IOException if it could not be written; the file is as before, unless that fails, too
   */
  static void append(FileChannel to, String name, byte[] content) throws IOException {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(HEAD + text.length + content.length);
    bytes.putInt(text.length).putInt(content.length).putInt(sum(text, content));
    bytes.put(text).put(content).flip();
    long before = to.position();
    try {
      while (bytes.hasRemaining()) {
        to.write(bytes);
      }
    } catch (IOException fault) {
      to.truncate(before);
      to.position(before);
      throw fault;
    }
  }

  private static int sum(byte[] name, byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(name);
    crc.update(content);
    return (int) crc.getValue();
  }

  /**
   * Reads a file.
   *
   * @return the bytes of whole records
   * @throws IOException if it cannot be read; a damaged record ends it
   */
  static long read(Path file, Reader into) throws IOException {
    long size = Files.size(file);
    long end = 0;
    try (InputStream raw = Files.newInputStream(file);
        DataInputStream from = new DataInputStream(new BufferedInputStream(raw, 1 << 16))) {
      while (true) {
        int nameLength = from.readInt();
        int length = from.readInt();
        int sum = from.readInt();
        long next = end + HEAD + nameLength + length;
        if (nameLength < 1
            || nameLength > MOST_NAME
            || length < 0
            || length > MOST_CONTENT
            || next > size) {
          return end;
        }
        byte[] name = from.readNBytes(nameLength);
        String text = new String(name, StandardCharsets.UTF_8);
        if (into.wants(text)) {
          byte[] content = from.readNBytes(length);
          if (sum(name, content) != sum) {
            return end;
          }
          into.take(text, content);
        } else {
          from.skipNBytes(length);
        }
        end = next;
      }
    } catch (EOFException over) {
      return end;
    }
  }
}
