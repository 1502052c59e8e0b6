package io.remuda.agent.keeper.proc;

/** The keeper's log: lines on stderr, which its starter has redirected to a file. */
public final class KeeperLog {
  private KeeperLog() {}

  public static void line(String text) {
    System.err.println(text);
  }
}
