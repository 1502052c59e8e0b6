package io.remuda.agent.settings.file;

/**
 * One setting of this process.
 *
 * @param key its whole path, such as {@code remuda.agent.output-limit}
 * @param value as it counts now, in the syntax of the settings file
 * @param usual the default, in the same syntax
 * @param source what set the value
 * @param file the file that set it; empty if no file did
 * @param line line in that file from 1; 0 if no file set it
 * @param meaning what it does, one text of several sentences
 */
public record EffectiveSetting(
    String key, String value, String usual, Source source, String file, int line, String meaning) {

  /** What sets a value, the strongest first. */
  public enum Source {
    /** A system property of the JVM, {@code -Dremuda…}. */
    PROPERTY,
    /** The settings file, or a file that it includes. */
    FILE,
    /** Nothing. */
    DEFAULT
  }

  /** Returns where the value comes from, for people. */
  public String place() {
    return switch (source) {
      case PROPERTY -> "system property -D" + key;
      case FILE -> file + ":" + line;
      case DEFAULT -> "default";
    };
  }
}
