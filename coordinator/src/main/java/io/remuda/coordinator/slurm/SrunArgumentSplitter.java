package io.remuda.coordinator.slurm;

import java.util.ArrayList;
import java.util.List;

/** Splits {@code --srun-args} into words, with quotes as in a shell; no other shell syntax. */
public final class SrunArgumentSplitter {

  private SrunArgumentSplitter() {}

  /**
   * Returns the words.
   *
   * @throws IllegalArgumentException if a quote is not closed
   */
  public static List<String> split(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = null;
    char quote = 0;
    for (char c : text.toCharArray()) {
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c);
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
        word = word == null ? new StringBuilder() : word;
      } else if (!Character.isWhitespace(c)) {
        word = word == null ? new StringBuilder() : word;
        word.append(c);
      } else if (word != null) {
        words.add(word.toString());
        word = null;
      }
    }
    if (quote != 0) {
      throw new IllegalArgumentException("--srun-args: a quote is not closed in: " + text);
    }
    if (word != null) {
      words.add(word.toString());
    }
    return List.copyOf(words);
  }
}
