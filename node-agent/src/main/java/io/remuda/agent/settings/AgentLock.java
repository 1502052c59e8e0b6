package io.remuda.agent.settings;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** Held for life by the agent of a folder, so that there is one at most. */
public final class AgentLock implements Closeable {

  private static final String PID = "agent.pid";

  private final FileChannel channel;

  private AgentLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Takes the lock, or nothing if an agent lives there. */
  public static Optional<AgentLock> take(Path folder) throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve("agent.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        long pid = ProcessHandle.current().pid();
        Files.writeString(folder.resolve(PID), Long.toString(pid));
        return Optional.of(new AgentLock(channel));
      }
    } catch (OverlappingFileLockException ours) {
      // as good as taken
    }
    channel.close();
    return Optional.empty();
  }

  /** Whether an agent lives in the folder. */
  public static boolean isHeld(Path folder) throws IOException {
    if (!folder.resolve("agent.lock").toFile().exists()) {
      return false;
    }
    try (FileChannel channel =
            FileChannel.open(folder.resolve("agent.lock"), StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      return lock == null;
    } catch (OverlappingFileLockException ours) {
      return true;
    }
  }

  /** The process that lives in the folder, if it does. */
  public static Optional<ProcessHandle> holder(Path folder) {
    try {
      return isHeld(folder)
          ? ProcessHandle.of(Long.parseLong(Files.readString(folder.resolve(PID)).trim()))
          : Optional.empty();
    } catch (IOException | NumberFormatException justStarting) {
      return Optional.empty();
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
