package io.remuda.agent.keeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The keeper of a folder, by the id that it wrote there; its start ticks tell it from a stranger.
 */
public final class KeeperProcess {

  private KeeperProcess() {}

  /** Whether the keeper that wrote its id into {@code nodeFolder} lives. */
  public static boolean isAlive(Path nodeFolder) {
    return find(nodeFolder) != null;
  }

  /** Sends SIGKILL to the folder's keeper if it lives; its tasks live on. */
  public static void kill(Path nodeFolder) {
    ProcStat keeper = find(nodeFolder);
    if (keeper != null) {
      Signaller.send(keeper, Posix.SIGKILL);
    }
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
