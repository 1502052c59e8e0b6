package io.remuda.agent.output;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;

/**
 * Declarations of the libc functions for output files, with C names and C types. For Linux with
 * glibc on 64-bit x86 and ARM. After a result of -1, read {@code Native.getLastError()} on the same
 * thread before the next call.
 */
final class PosixFiles {
  static final int O_WRONLY = 1;
  static final int O_NONBLOCK = 0x800;
  static final int O_PATH = 0x200000;
  static final int O_CLOEXEC = 0x80000;
  static final int O_NOFOLLOW = Platform.isARM() ? 0x8000 : 0x20000;

  static final int FALLOC_FL_KEEP_SIZE = 1;
  static final int FALLOC_FL_PUNCH_HOLE = 2;

  static final int ENOENT = 2;
  static final int EINTR = 4;
  static final int ENOSYS = 38;
  static final int EOPNOTSUPP = 95;

  static {
    Native.register(PosixFiles.class, Platform.C_LIBRARY_NAME);
  }

  private PosixFiles() {}

  static native int open(byte[] path, int flags, int mode);

  static native int close(int fd);

  static native int fallocate(int fd, int mode, long offset, long length);

  static native Pointer strerror(int errno);
}
