package io.remuda.coordinator.cli.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/**
 * Stdin from a file. The position in it is shared with the shell: it stays where it is, and moves
 * in the end behind what the job has read, as if the job had read the file itself.
 */
final class FileInput implements InputSource {

  private final FileChannel file;
  private final long start;

  FileInput(FileChannel file) throws IOException {
    this.file = file;
    this.start = file.position();
  }

  @Override
  public byte[] from(long offset, long millis) throws IOException {
    ByteBuffer part = ByteBuffer.allocate(PART);
    int count = file.read(part, start + offset);
    return count < 0 ? null : Arrays.copyOf(part.array(), count);
  }

  @Override
  public void used(long bytes) throws IOException {
    file.position(start + bytes);
  }
}
