package io.remuda.agent.keeper.sweep;

import io.remuda.agent.keeper.proc.KeeperLog;
import java.nio.file.Path;

/**
 * Kills what the lost keepers of a folder have left: {@code SweepMain NODE_FOLDER}. Exit codes: 0
 * nothing is left, 1 something is.
 */
public final class SweepMain {

  private SweepMain() {}

  public static void main(String[] args) {
    OrphanSweep.Remains remains = OrphanSweep.end(Path.of(args[0]), "");
    remains.reasons().forEach((key, why) -> KeeperLog.line("guardian: " + key + ": " + why));
    System.exit(remains.isNothing() ? 0 : 1);
  }
}
