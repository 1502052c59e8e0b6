package io.remuda.agent.channel;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A pseudo-terminal. This process has both sides open: the master, and the one for programs, so
 * that the terminal neither hangs up before a program has opened it nor between two programs.
 */
final class TerminalPair {

  private static final int CLOSED = -1;
  private static final int LONGEST_NAME = 128;
  private static final int WINDOW_SIZE_BYTES = 8; // rows, columns and two unused, 16 bits each
  private static final int FLAGS =
      PosixChannelFunctions.O_RDWR
          | PosixChannelFunctions.O_NOCTTY
          | PosixChannelFunctions.O_CLOEXEC;

  private final Path path;
  private int master;
  private int programs;

  private TerminalPair(Path path, int master, int programs) {
    this.path = path;
    this.master = master;
    this.programs = programs;
  }

  static TerminalPair open() throws IOException {
    int master = PosixChannelFunctions.posix_openpt(FLAGS | PosixChannelFunctions.O_NONBLOCK);
    if (master < 0) {
      throw PosixChannelFunctions.failure("a terminal cannot be made");
    }
    byte[] name = new byte[LONGEST_NAME];
    if (PosixChannelFunctions.grantpt(master) != 0
        || PosixChannelFunctions.unlockpt(master) != 0
        || PosixChannelFunctions.ptsname_r(master, name, name.length) != 0) {
      throw closed(master);
    }
    int programs = PosixChannelFunctions.open(name, FLAGS, 0);
    if (programs < 0) {
      throw closed(master);
    }
    return new TerminalPair(
        Path.of(Native.toString(name, StandardCharsets.US_ASCII.name())), master, programs);
  }

  private static IOException closed(int master) {
    IOException failure = PosixChannelFunctions.failure("a terminal cannot be made");
    PosixChannelFunctions.close(master);
    return failure;
  }

  /** Returns the path by which programs open it. */
  Path path() {
    return path;
  }

  /** Sets its size; programs in its foreground get SIGWINCH. */
  void resize(int rows, int columns) {
    if (master != CLOSED) {
      try (Memory size = new Memory(WINDOW_SIZE_BYTES)) {
        size.clear();
        size.setShort(0, (short) rows);
        size.setShort(2, (short) columns);
        PosixChannelFunctions.ioctl(master, PosixChannelFunctions.TIOCSWINSZ, size);
      }
    }
  }

  /** Writes what a user has typed, as much as it takes now; returns the number of bytes. */
  int write(byte[] bytes, int from) throws IOException {
    if (master == CLOSED) {
      throw new IOException("its terminal has hung up");
    }
    return NonBlockingDescriptorIo.write(master, bytes, from);
  }

  /** Reads what programs have printed; returns 0 if there is nothing, or the end. */
  int read(byte[] into) throws IOException {
    return master == CLOSED ? TaskChannel.ENDED : NonBlockingDescriptorIo.read(master, into);
  }

  /** No program will open it any more; what was printed can still be read, and then the end. */
  void endPrograms() {
    if (programs != CLOSED) {
      PosixChannelFunctions.close(programs);
      programs = CLOSED;
    }
  }

  /** Hangs up: its session gets SIGHUP. */
  void hangUp() {
    endPrograms();
    if (master != CLOSED) {
      PosixChannelFunctions.close(master);
      master = CLOSED;
    }
  }
}
