package io.remuda.agent.settings;

import io.remuda.file.AtomicFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Writes small files with secrets, readable only by their owner. */
public final class PrivateFileWriter {

  private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rw-------");

  private PrivateFileWriter() {}

  /**
   * Writes a file of mode 0600 atomically; it is on the disk when this returns. The draft is {@code
   * FILE.new}, so only one process may write at a time.
   *
   * @throws IOException naming the file
   */
  public static void write(Path file, byte[] bytes) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(draft);
    try {
      writeNew(draft, bytes);
    } catch (FileSystemException named) {
      throw named;
    } catch (IOException fault) {
      Files.deleteIfExists(draft);
      throw new FileSystemException(file.toString(), null, fault.getMessage());
    }
    AtomicFile.replace(draft, file);
  }

  private static void writeNew(Path draft, byte[] bytes) throws IOException {
    try (FileChannel out =
        FileChannel.open(
            draft,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(MODE))) {
      ByteBuffer left = ByteBuffer.wrap(bytes);
      while (left.hasRemaining()) {
        out.write(left);
      }
      out.force(true);
    }
  }
}
