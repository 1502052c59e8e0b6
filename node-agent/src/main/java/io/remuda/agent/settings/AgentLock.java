package io.remuda.agent.settings;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A lock that an agent holds on its folder until it ends, so that a folder has one agent at most.
 */
public final class AgentLock implements Closeable {

  private static final String PID = "agent.pid";

  private final LockFile lock;

  private AgentLock(LockFile lock) {
    this.lock = lock;
  }

  /** Takes the lock; returns empty if another agent holds it. */
  public static Optional<AgentLock> take(Path folder) throws IOException {
    Optional<LockFile> lock = LockFile.take(file(folder));
    if (lock.isPresent()) {
      note(folder, lock.get());
    }
    return lock.map(AgentLock::new);
  }

  /**
   * Takes the lock.
   *
   * @throws IOException if another agent holds it; the message names its process if that is known
   */
  public static AgentLock require(Path folder) throws IOException {
    Optional<AgentLock> lock = take(folder);
    if (lock.isEmpty()) {
      String process = holder(folder).map(one -> " (process " + one.pid() + ")").orElse("");
      throw new IOException("another agent" + process + " uses " + folder + ": stop it first");
    }
    return lock.get();
  }

  private static void note(Path folder, LockFile lock) throws IOException {
    try {
      Files.writeString(folder.resolve(PID), Long.toString(ProcessHandle.current().pid()));
    } catch (IOException fault) {
      lock.close(); // or nobody of this process could take it again
      throw fault;
    }
  }

  private static Path file(Path folder) {
    return folder.resolve("agent.lock");
  }

  /** Returns whether an agent holds the folder's lock. */
  public static boolean isHeld(Path folder) throws IOException {
    return LockFile.isHeld(file(folder));
  }

  /** Returns the process of the agent that holds the folder's lock; empty if there is none. */
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
