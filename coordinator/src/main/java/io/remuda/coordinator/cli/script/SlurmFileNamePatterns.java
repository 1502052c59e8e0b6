package io.remuda.coordinator.cli.script;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of output files as Slurm writes them. */
final class SlurmFileNamePatterns {

  private static final Pattern SIGN = Pattern.compile("%(\\d*)([A-Za-z%])");

  /** Signs with another letter: an array's job, a job with its step, and the node's name. */
  private static final Map<String, String> OTHERS = Map.of("A", "j", "J", "j", "N", "n");

  /** Signs of numbers, which have a width. */
  private static final Set<String> NUMBERS = Set.of("j", "J", "A", "a", "t", "n");

  private static final int WIDEST = 10;

  private SlurmFileNamePatterns() {}

  /**
   * Returns the name as Remuda writes it. As in Slurm, numbers are at most ten wide, other signs
   * have no width, and the script itself is on node 0 and the step {@code batch}.
   */
  static String translated(String pattern) {
    return SIGN.matcher(pattern)
        .replaceAll(
            sign -> Matcher.quoteReplacement(translated(sign.group(2), width(sign.group(1)))));
  }

  private static int width(String digits) {
    String plain = digits.replaceFirst("^0+", "");
    return plain.isEmpty()
        ? 0
        : plain.length() > 2 ? WIDEST : Math.min(WIDEST, Integer.parseInt(plain));
  }

  private static String translated(String letter, int width) {
    return switch (letter) {
      case "u" -> System.getProperty("user.name", "").replace("%", "%%");
      case "n" -> "0".repeat(Math.max(1, width));
      case "s" -> "batch";
      default ->
          "%"
              + (width > 0 && NUMBERS.contains(letter) ? width : "")
              + OTHERS.getOrDefault(letter, letter);
    };
  }
}
