package io.remuda.agent.channel;

import com.sun.jna.Native;
import java.io.IOException;
import java.util.Arrays;

/** Reads and writes of descriptors that do not wait. */
final class NonBlockingDescriptorIo {

  private NonBlockingDescriptorIo() {}

  /** Writes as many bytes as it takes now; returns their number. */
  static int write(int fd, byte[] bytes, int from) throws IOException {
    int done = from;
    while (done < bytes.length) {
      byte[] rest = done == 0 ? bytes : Arrays.copyOfRange(bytes, done, bytes.length);
      long written = PosixChannelFunctions.write(fd, rest, rest.length);
      if (written < 0) {
        int errno = Native.getLastError();
        if (errno == PosixChannelFunctions.EAGAIN) {
          break;
        } else if (errno != PosixChannelFunctions.EINTR) {
          throw PosixChannelFunctions.failure("write");
        }
      } else {
        done += (int) written;
      }
    }
    return done - from;
  }

  /** Reads; returns the number of bytes, 0 if there are none now, or the end. */
  static int read(int fd, byte[] into) throws IOException {
    long got = PosixChannelFunctions.read(fd, into, into.length);
    if (got >= 0) {
      return got == 0 ? TaskChannel.ENDED : (int) got;
    }
    return switch (Native.getLastError()) {
      case PosixChannelFunctions.EAGAIN, PosixChannelFunctions.EINTR -> 0;
      case PosixChannelFunctions.EIO -> TaskChannel.ENDED; // nobody has the terminal open
      default -> throw PosixChannelFunctions.failure("read");
    };
  }
}
