package io.remuda.agent.output;

import com.sun.jna.Native;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** Makes holes with {@code fallocate}. */
public final class FallocateHolePuncher implements HolePuncher {

  /** Bytes per call; a task that writes to the file is blocked during a call. */
  private static final long STEP = 64 << 20;

  @Override
  public OpenFile open(Path file) throws IOException {
    byte[] path = file.toString().getBytes(StandardCharsets.UTF_8);
    int flags =
        PosixFiles.O_WRONLY
            | PosixFiles.O_NOFOLLOW
            | PosixFiles.O_NONBLOCK // a task may have replaced it by a pipe
            | PosixFiles.O_CLOEXEC;
    int fd = PosixFiles.open(Arrays.copyOf(path, path.length + 1), flags, 0);
    if (fd < 0) {
      throw failure(file, Native.getLastError());
    }
    return new Descriptor(file, fd);
  }

  private static IOException failure(Path file, int errno) {
    String text = file + ": " + PosixFiles.strerror(errno).getString(0);
    boolean none = errno == PosixFiles.EOPNOTSUPP || errno == PosixFiles.ENOSYS;
    return none ? new HolesUnsupportedException(text) : new IOException(text);
  }

  private record Descriptor(Path file, int fd) implements OpenFile {

    @Override
    public void punch(DroppedRange range) throws IOException {
      for (long at = range.from(); at < range.to(); at += STEP) {
        punch(at, Math.min(STEP, range.to() - at));
      }
    }

    private void punch(long from, long length) throws IOException {
      int mode = PosixFiles.FALLOC_FL_PUNCH_HOLE | PosixFiles.FALLOC_FL_KEEP_SIZE;
      while (PosixFiles.fallocate(fd, mode, from, length) != 0) {
        int errno = Native.getLastError();
        if (errno != PosixFiles.EINTR) {
          throw failure(file, errno);
        }
      }
    }

    @Override
    public void close() {
      PosixFiles.close(fd);
    }
  }
}
