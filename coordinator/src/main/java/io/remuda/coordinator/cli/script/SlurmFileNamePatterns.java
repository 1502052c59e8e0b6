package io.remuda.coordinator.cli.script;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of output files as Slurm writes them. */
final class SlurmFileNamePatterns {

  private static final Pattern SIGN = Pattern.compile("%\\d*([A-Za-z%])");

  /** Signs with another letter: an array's job, a job with its step, and the node's name. */
  private static final Map<String, String> OTHERS = Map.of("A", "j", "J", "j", "N", "n");

  private SlurmFileNamePatterns() {}

  /** Returns the name as Remuda writes it; widths are left out. */
  static String translated(String pattern) {
    String user = System.getProperty("user.name", "");
    return SIGN.matcher(pattern)
        .replaceAll(
            sign ->
                Matcher.quoteReplacement(
                    sign.group(1).equals("u")
                        ? user
                        : "%" + OTHERS.getOrDefault(sign.group(1), sign.group(1))));
  }
}
