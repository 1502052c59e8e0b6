package io.remuda.agent.keeper;

/** The keeper's log: lines on stderr, which its starter has redirected to a file. */
final class KeeperLog {
  private KeeperLog() {}

  static void line(String text) {
    System.err.println(text);
  }
}
