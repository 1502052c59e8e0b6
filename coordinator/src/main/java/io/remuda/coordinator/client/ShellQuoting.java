package io.remuda.coordinator.client;

/** Words of a command line as a shell reads them. */
public final class ShellQuoting {

  private ShellQuoting() {}

  /** Quotes a word for a shell, in single quotes if it needs any. */
  public static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./=:,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
