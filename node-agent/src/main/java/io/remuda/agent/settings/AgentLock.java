package io.remuda.agent.settings;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Held for life by the agent of a folder, so that there is one at most. */
public final class AgentLock implements Closeable {

  private static final String PID = "agent.pid";

  private final LockFile lock;

  private AgentLock(LockFile lock) {
    this.lock = lock;
  }

  /** Takes the lock, or nothing if an agent lives there. */
  public static Optional<AgentLock> take(Path folder) throws IOException {
    Optional<LockFile> lock = LockFile.take(file(folder));
    if (lock.isPresent()) {
      long pid = ProcessHandle.current().pid();
      Files.writeString(folder.resolve(PID), Long.toString(pid));
    }
    return lock.map(AgentLock::new);
  }

  private static Path file(Path folder) {
    return folder.resolve("agent.lock");
  }

  /** Whether an agent lives in the folder. */
  public static boolean isHeld(Path folder) throws IOException {
    return LockFile.isHeld(file(folder));
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
    lock.close();
  }
}
