package io.remuda.agent.channel;

import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import java.io.IOException;

/**
 * Declarations of the libc functions for pipes and terminals, with C names and C types. For Linux
 * with glibc on 64-bit x86 and ARM. After a result of -1, read {@code Native.getLastError()} on the
 * same thread before the next call.
 */
final class PosixChannelFunctions {
  static final int O_RDONLY = 0;
  static final int O_RDWR = 2;
  static final int O_NOCTTY = 0x100;
  static final int O_NONBLOCK = 0x800;
  static final int O_CLOEXEC = 0x80000;

  static final int EINTR = 4;
  static final int EIO = 5;
  static final int EAGAIN = 11;
  static final int EEXIST = 17;

  /** Number of bytes that can be read, in asm-generic/ioctls.h, as the next one. */
  static final NativeLong FIONREAD = new NativeLong(0x541b);

  static final NativeLong TIOCSWINSZ = new NativeLong(0x5414);

  static {
    Native.register(PosixChannelFunctions.class, Platform.C_LIBRARY_NAME);
  }

  private PosixChannelFunctions() {}

  static native int mkfifo(byte[] path, int mode);

  static native int open(byte[] path, int flags, int mode);

  static native int close(int fd);

  static native long write(int fd, byte[] bytes, long count);

  static native long read(int fd, byte[] bytes, long count);

  static native int ioctl(int fd, NativeLong request, Pointer argument);

  static native int posix_openpt(int flags);

  static native int grantpt(int fd);

  static native int unlockpt(int fd);

  static native int ptsname_r(int fd, byte[] name, long size);

  static native Pointer strerror(int errno);

  /** Returns the failure of this thread's last call. */
  static IOException failure(String what) {
    return new IOException(what + ": " + strerror(Native.getLastError()).getString(0));
  }
}
