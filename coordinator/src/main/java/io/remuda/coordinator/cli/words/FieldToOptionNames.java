package io.remuda.coordinator.cli.words;

import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Names options where a message of the server names fields of a request: {@code --time-limit} for
 * {@code timeLimit}. What stands in quotes is the user's and stays.
 */
public final class FieldToOptionNames {

  /** Fields whose option has another name. */
  private static final Map<String, String> OTHERS =
      Map.of(
          "labels", "label",
          "mounts", "mount",
          "ports", "port",
          "clientKey", "key",
          "notifyTo", "notify",
          "entries", "from-json");

  /** A field at the beginning, with what may follow it; others are words like any. */
  private static final Pattern FIRST =
      Pattern.compile("^([a-z][A-Za-z]*)(?=: | must | has | is |\\.)");

  private static final Pattern QUOTED_OR_CAMEL =
      Pattern.compile("'[^']*'|(?<![\\w./-])[a-z]+(?:[A-Z][a-z]*)+(?![\\w./-])");

  private FieldToOptionNames() {}

  /** Returns a message with the names of the options that this command has. */
  public static String in(String message, CommandSpec command) {
    String begun = FIRST.matcher(message).replaceFirst(field -> option(field, command));
    return QUOTED_OR_CAMEL.matcher(begun).replaceAll(field -> option(field, command));
  }

  private static String option(MatchResult match, CommandSpec command) {
    String field = match.group();
    String option =
        "--"
            + OTHERS.getOrDefault(
                field, field.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
    boolean known = !field.startsWith("'") && command.findOption(option) != null;
    return Matcher.quoteReplacement(known ? option : field);
  }
}
