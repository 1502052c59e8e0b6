package io.remuda.agent.channel;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The named pipe from which a task reads its stdin. This process has it open for writing until the
 * input has ended, and for reading until it is closed: so the task reads its end neither before nor
 * never, a write breaks off nothing, and what the task has left can be counted.
 */
final class InputPipe implements TaskChannel {

  private static final int CLOSED = -1;

  private final byte[] path;
  private int reading;
  private int writing;

  private InputPipe(byte[] path, int reading, int writing) {
    this.path = path;
    this.reading = reading;
    this.writing = writing;
  }

  /** Makes the pipe, for this user alone, or takes the one that is there. */
  static InputPipe make(Path file) throws IOException {
    byte[] name = file.toString().getBytes(StandardCharsets.UTF_8);
    byte[] path = Arrays.copyOf(name, name.length + 1);
    if (PosixChannelFunctions.mkfifo(path, 0600) != 0
        && Native.getLastError() != PosixChannelFunctions.EEXIST) {
      throw PosixChannelFunctions.failure("mkfifo " + file);
    }
    int reading = open(path, PosixChannelFunctions.O_RDONLY); // first: a writer alone is refused
    return new InputPipe(path, reading, open(path, PosixChannelFunctions.O_RDWR));
  }

  private static int open(byte[] path, int mode) throws IOException {
    int fd =
        PosixChannelFunctions.open(
            path, mode | PosixChannelFunctions.O_NONBLOCK | PosixChannelFunctions.O_CLOEXEC, 0);
    if (fd < 0) {
      throw PosixChannelFunctions.failure("open a pipe");
    }
    return fd;
  }

  @Override
  public int write(byte[] bytes, int from) throws IOException {
    if (writing == CLOSED) {
      throw new IOException("its stdin has ended");
    }
    return NonBlockingDescriptorIo.write(writing, bytes, from);
  }

  @Override
  public void endInput() {
    if (writing != CLOSED) {
      PosixChannelFunctions.close(writing);
      writing = CLOSED;
    }
  }

  @Override
  public boolean isReadable() {
    return false;
  }

  @Override
  public int read(byte[] into) {
    return ENDED;
  }

  @Override
  public int unread() {
    if (reading == CLOSED) {
      return 0;
    }
    try (Memory count = new Memory(Integer.BYTES)) {
      count.setInt(0, 0);
      PosixChannelFunctions.ioctl(reading, PosixChannelFunctions.FIONREAD, count);
      return count.getInt(0);
    }
  }

  @Override
  public void close() {
    endInput();
    if (reading != CLOSED) {
      PosixChannelFunctions.close(reading);
      reading = CLOSED;
    }
  }
}
