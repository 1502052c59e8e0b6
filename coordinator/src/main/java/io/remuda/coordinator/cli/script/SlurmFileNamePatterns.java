package io.remuda.coordinator.cli.script;

/**
 * Names of output files as sbatch of Slurm 22.05 reads them, written as Remuda does. Each rule was
 * tried on a real one.
 *
 * @param swept whether each task runs the script as one of an array
 * @param several whether the script runs in several equal tasks, or members, of one job
 */
record SlurmFileNamePatterns(boolean swept, boolean several) {

  /** Means no file, in any case. */
  private static final String NONE = "none";

  /** Turns all replacing off, wherever it stands, and itself goes. */
  private static final char ESCAPE = '\\';

  /** The index that Slurm writes for a job that is no array. */
  private static final String NO_INDEX = "4294967294";

  private static final int WIDEST = 10;

  /**
   * Returns the name as Remuda writes it, but for {@code %A}, which is left to the job. Numbers are
   * at most ten wide, other signs have no width, and the script itself is task 0 on node 0, in the
   * step {@code batch}. A sign that Slurm does not know stays, of a width its last digit.
   */
  String translated(String pattern) {
    if (pattern.equalsIgnoreCase(NONE)) {
      return "/dev/null";
    }
    return pattern.indexOf(ESCAPE) >= 0 ? literal(pattern) : replaced(pattern);
  }

  private static String literal(String pattern) {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      i += pattern.charAt(i) == ESCAPE ? 1 : 0;
      name.append(i < pattern.length() ? pattern.substring(i, i + 1) : "");
    }
    return plain(name.toString());
  }

  private String replaced(String pattern) {
    StringBuilder name = new StringBuilder();
    int at = 0;
    while (at < pattern.length()) {
      char sign = pattern.charAt(at++);
      if (sign != '%') {
        name.append(sign);
        continue;
      }
      int letter = at;
      while (letter < pattern.length() && isDigit(pattern.charAt(letter))) {
        letter++;
      }
      String width = pattern.substring(at, letter);
      String value = letter < pattern.length() ? value(pattern.charAt(letter), width(width)) : null;
      if (value != null) {
        name.append(value);
        at = letter + 1;
      } else if (!width.isEmpty()) {
        name.append(width.charAt(width.length() - 1));
        at = letter;
      } else {
        name.append("%%");
        at += letter < pattern.length() && pattern.charAt(letter) == '%' ? 1 : 0;
      }
    }
    return name.toString();
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static int width(String digits) {
    String plain = digits.replaceFirst("^0+", "");
    return plain.isEmpty()
        ? 0
        : plain.length() > 2 ? WIDEST : Math.min(WIDEST, Integer.parseInt(plain));
  }

  /** Returns what stands for a sign with this letter; null if Slurm does not know it. */
  private String value(char letter, int width) {
    String wide = width > 0 ? "%" + width : "%";
    return switch (letter) {
      case 'A' -> wide + "A";
      case 'j', 'J' -> wide + "j";
      case 'a' -> swept || several ? wide + "a" : NO_INDEX;
      case 't' -> several ? wide + "t" : zeros(width);
      case 'n' -> zeros(width);
      case 'N' -> "%n";
      case 's' -> "batch";
      case 'u' -> plain(System.getProperty("user.name", ""));
      case 'x' -> "%x";
      default -> null;
    };
  }

  private static String zeros(int width) {
    return "0".repeat(Math.max(1, width));
  }

  /** Returns a name of which Remuda replaces nothing. */
  private static String plain(String name) {
    return name.replace("%", "%%");
  }
}
