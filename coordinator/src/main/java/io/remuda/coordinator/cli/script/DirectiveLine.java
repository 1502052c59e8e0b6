package io.remuda.coordinator.cli.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A comment in the head of a script that gives options to its job.
 *
 * @param kind whose options they are
 * @param number of the line, from 1
 * @param words its options and their values
 */
record DirectiveLine(Kind kind, int number, List<String> words) {

  /** Whose options a directive has. */
  enum Kind {
    REMUDA("#REMUDA"),
    SBATCH("#SBATCH");

    private final String start;

    Kind(String start) {
      this.start = start;
    }

    String start() {
      return start;
    }
  }

  DirectiveLine {
    words = List.copyOf(words);
  }

  /**
   * Reads a line; empty if it is no directive.
   *
   * @throws IllegalArgumentException if a quotation mark has no counterpart
   */
  static Optional<DirectiveLine> of(String line, int number) {
    for (Kind kind : Kind.values()) {
      if (line.startsWith(kind.start)) {
        String rest = line.substring(kind.start.length());
        boolean isOption = kind == Kind.SBATCH && rest.startsWith("-"); // sbatch wants no blank
        if (rest.isEmpty() || isOption || Character.isWhitespace(rest.charAt(0))) {
          return Optional.of(new DirectiveLine(kind, number, words(rest, kind)));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Splits as a shell does: by blanks, with quotation marks; a comment begins with {@code #}. In a
   * line of sbatch a backslash counts between single quotation marks, too.
   */
  private static List<String> words(String text, Kind kind) {
    List<String> words = new ArrayList<>();
    StringBuilder word = null;
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0 && c == quote) {
        quote = 0;
      } else if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
        word = word == null ? new StringBuilder() : word;
      } else if (c == '\\' && (quote != '\'' || kind == Kind.SBATCH) && i + 1 < text.length()) {
        word = (word == null ? new StringBuilder() : word).append(text.charAt(++i));
      } else if (quote == 0 && Character.isWhitespace(c)) {
        if (word != null) {
          words.add(word.toString());
        }
        word = null;
      } else if (quote == 0 && c == '#' && word == null) {
        return words;
      } else {
        word = (word == null ? new StringBuilder() : word).append(c);
      }
    }
    if (quote != 0) {
      throw new IllegalArgumentException("a quotation mark has no counterpart: " + text.strip());
    }
    if (word != null) {
      words.add(word.toString());
    }
    return words;
  }
}
