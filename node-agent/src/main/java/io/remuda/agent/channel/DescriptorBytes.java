package io.remuda.agent.channel;

import com.sun.jna.Native;
import java.io.IOException;
import java.util.Arrays;

/** Reads and writes of descriptors that do not wait. */
final class DescriptorBytes {

  private DescriptorBytes() {}

  /** Writes as many bytes as it takes now; returns their number. */
  static int write(int fd, byte[] bytes, int from) throws IOException {
    int done = from;
    while (done < bytes.length) {
      byte[] rest = done == 0 ? bytes : Arrays.copyOfRange(bytes, done, bytes.length);
      long written = PosixChannels.write(fd, rest, rest.length);
      if (written < 0) {
        int errno = Native.getLastError();
        if (errno == PosixChannels.EAGAIN) {
          break;
        } else if (errno != PosixChannels.EINTR) {
          throw PosixChannels.failure("write");
        }
      } else {
        done += (int) written;
      }
    }
    return done - from;
  }

  /** Reads; returns the number of bytes, 0 if there are none now, or the end. */
  static int read(int fd, byte[] into) throws IOException {
    long got = PosixChannels.read(fd, into, into.length);
    if (got >= 0) {
      return got == 0 ? TaskChannel.ENDED : (int) got;
    }
    return switch (Native.getLastError()) {
      case PosixChannels.EAGAIN, PosixChannels.EINTR -> 0;
      case PosixChannels.EIO -> TaskChannel.ENDED; // nobody has the terminal open
      default -> throw PosixChannels.failure("read");
    };
  }
}
