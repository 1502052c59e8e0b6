package io.remuda.agent.keeper.proc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The keeper of a folder, found by the pid that it wrote there; the start ticks detect a reused
 * pid. Any thread.
 */
public final class KeeperProcessHandle {

  /** Name of the keeper's main class, by which its process is known. */
  public static final String MAIN_CLASS = "io.remuda.agent.keeper.program.KeeperMain";

  private static final int LOOKS = 20;
  private static final int LOOK_MILLIS = 100;

  /** The state of a process, as the kernel reports it. */
  public enum State {
    /** It runs, or waits for something, such as a disk. */
    LIVES,
    /** It was stopped, as by SIGSTOP, and does nothing until it is continued. */
    STOPPED,
    /** It has ended; it may be a zombie. */
    GONE
  }

  private final ProcStat found;

  private KeeperProcessHandle(ProcStat found) {
    this.found = found;
  }

  /** Returns the keeper that wrote its pid into {@code nodeFolder}, if it lives. */
  public static Optional<KeeperProcessHandle> of(Path nodeFolder) {
    return Optional.ofNullable(find(nodeFolder)).map(KeeperProcessHandle::new);
  }

  /** Returns whether the keeper that wrote its pid into {@code nodeFolder} lives. */
  public static boolean isAlive(Path nodeFolder) {
    return find(nodeFolder) != null;
  }

  /**
   * Sends SIGKILL to the folder's keeper if it lives, and waits for its end; its tasks continue.
   *
   * @return empty, or a message if the keeper does not end, as when it waits for a dead disk
   */
  public static String end(Path nodeFolder) {
    ProcStat keeper = find(nodeFolder);
    if (keeper == null) {
      return "";
    }
    int pidfd = Posix.pidfd_open(keeper.pid());
    Signaller.send(keeper, Posix.SIGKILL);
    for (int look = 0; look < LOOKS && ProcFiles.isThere(keeper); look++) {
      Posix.awaitEnd(pidfd, LOOK_MILLIS);
    }
    if (pidfd >= 0) {
      Posix.close(pidfd);
    }
    return ProcFiles.isThere(keeper)
        ? "its keeper, process " + keeper.pid() + ", does not end"
        : "";
  }

  public long pid() {
    return found.pid();
  }

  /** Returns its current state; reads no file system but /proc. */
  public State state() {
    if (!ProcFiles.isThere(found)) {
      return State.GONE;
    }
    ProcStat now = ProcFiles.stat(found.pid());
    return now != null && now.state() == 'T' ? State.STOPPED : State.LIVES;
  }

  @Override
  public String toString() {
    return "keeper (pid " + found.pid() + ")";
  }

  private static ProcStat find(Path nodeFolder) {
    try {
      String[] fields = Files.readString(new KeeperFolder(nodeFolder).pid()).trim().split(" ");
      ProcStat now = ProcFiles.stat(Integer.parseInt(fields[0]));
      boolean same = now != null && !now.dead() && now.startTicks() == Long.parseLong(fields[1]);
      return same ? now : null;
    } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException noKeeper) {
      return null;
    }
  }
}
