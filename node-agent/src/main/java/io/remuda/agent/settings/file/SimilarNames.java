package io.remuda.agent.settings.file;

import io.remuda.agent.commandline.SimilarWords;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was probably meant by a misspelt one. */
final class SimilarNames {

  private static final int MOST_EDITS = 2;

  private SimilarNames() {}

  /**
   * Returns {@code "; did you mean NAME?"} if a known name is similar to this one, else nothing.
   */
  static String didYouMean(String typed, Collection<String> known) {
    return similar(typed, known).map(name -> "; did you mean " + name + "?").orElse("");
  }

  /** Returns the most similar name: a few letters differ, or only its last part is the same. */
  static Optional<String> similar(String typed, Collection<String> known) {
    return known.stream()
        .filter(name -> edits(typed, name) <= MOST_EDITS + name.length() / 12)
        .min(Comparator.comparingInt(name -> edits(typed, name)))
        .or(() -> known.stream().filter(name -> isNear(last(typed), last(name))).findFirst());
  }

  private static boolean isNear(String typed, String name) {
    return edits(typed, name) <= (name.length() > 4 ? MOST_EDITS : 0);
  }

  private static String last(String path) {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  private static int edits(String one, String other) {
    return SimilarWords.distance(one.toLowerCase(Locale.ROOT), other.toLowerCase(Locale.ROOT));
  }
}
