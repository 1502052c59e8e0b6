package io.remuda.agent.keeper;

/** The keeper's log: lines on stderr, which its starter has pointed at a file. */
final class Log {
  private Log() {}

  static void line(String text) {
    System.err.println(text);
  }
}
