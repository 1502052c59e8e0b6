package io.remuda.agent.commandline;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Finds the words that somebody may have meant by one that is not known. */
public final class SimilarWords {

  private static final int MOST = 3;
  private static final int LETTERS_FOR_EACH_MISTAKE = 3;
  private static final int FEWEST_OF_A_BEGINNING = 2;

  private SimilarWords() {}

  /**
   * Returns at most three known words, the most similar first: those that differ by one letter for
   * each three, or that begin as the word does. Dashes, underscores and case count for nothing.
   */
  public static List<String> to(String word, Collection<String> known) {
    String plain = plain(word);
    Map<String, Integer> distances = new TreeMap<>();
    for (String one : known) {
      String other = plain(one);
      int mistakes = distance(plain, other);
      boolean begun = plain.length() >= FEWEST_OF_A_BEGINNING && other.startsWith(plain);
      if (begun || mistakes <= allowed(plain)) {
        distances.put(one, Math.min(mistakes, allowed(plain) + 1));
      }
    }
    boolean same = distances.containsValue(0);
    return distances.entrySet().stream()
        .filter(one -> !same || one.getValue() == 0)
        .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
        .map(Map.Entry::getKey)
        .limit(MOST)
        .toList();
  }

  private static int allowed(String plain) {
    return plain.length() < LETTERS_FOR_EACH_MISTAKE
        ? 0
        : Math.max(1, plain.length() / LETTERS_FOR_EACH_MISTAKE);
  }

  static String plain(String word) {
    return word.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
  }

  /** Returns how many letters are missing, added, changed or swapped with the next. */
  public static int distance(String one, String other) {
    int[][] cost = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int changed = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
        int best = Math.min(cost[i - 1][j], cost[i][j - 1]) + 1;
        best = Math.min(best, cost[i - 1][j - 1] + changed);
        boolean swapped =
            i > 1
                && j > 1
                && one.charAt(i - 1) == other.charAt(j - 2)
                && one.charAt(i - 2) == other.charAt(j - 1);
        cost[i][j] = swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
      }
    }
    return cost[one.length()][other.length()];
  }
}
