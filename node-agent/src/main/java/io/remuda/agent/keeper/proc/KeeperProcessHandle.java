package io.remuda.agent.keeper.proc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
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

  /**
   * Returns why a node cannot have the keeper that its folder names: the folder is a copy of one
   * that is in use, whose keeper it is. Empty if it is not.
   */
  public static Optional<String> elsewhere(Path nodeFolder) {
    ProcStat keeper = find(nodeFolder);
    return Optional.ofNullable(keeper)
        .flatMap(process -> served(process.pid()))
        .filter(served -> isOther(served, nodeFolder))
        .map(
            served ->
                nodeFolder
                    + " is a copy of "
                    + served
                    + ", which is in use by its keeper, process "
                    + keeper.pid()
                    + ": end the server there and that process, or remove the copy's folder to"
                    + " begin with a new one");
  }

  /** Returns the folder on a keeper's command line. */
  private static Optional<Path> served(int pid) {
    try {
      List<String> words =
          List.of(Files.readString(Path.of("/proc/" + pid + "/cmdline")).split("\0"));
      int program = words.indexOf(MAIN_CLASS);
      return program < 0 || program + 1 >= words.size()
          ? Optional.empty()
          : Optional.of(Path.of(words.get(program + 1)));
    } catch (IOException | InvalidPathException unknown) {
      return Optional.empty();
    }
  }

  private static boolean isOther(Path served, Path nodeFolder) {
    try {
      return !served.toRealPath().equals(nodeFolder.toRealPath());
    } catch (IOException moved) {
      return false; // the folder itself has another name now
    }
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
