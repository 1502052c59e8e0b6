package io.remuda.coordinator.cli.words;

import io.remuda.coordinator.jobfield.FieldOption;
import io.remuda.coordinator.jobfield.FieldTable;
import io.remuda.coordinator.jobfield.JobField;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * Names options where a message of the server names fields of a request: {@code --time-limit} for
 * {@code timeLimit}, {@code --label rack} for {@code labels.rack}. What stands in quotes is the
 * user's and stays.
 */
public final class FieldToOptionNames {

  /** A field at the beginning, and an entry of it, with what may follow; others are words. */
  private static final Pattern FIRST =
      Pattern.compile("^([a-z][A-Za-z]*)(?:\\.([^\\s:]+))?(?=: |, number | must | has | is )");

  private static final Pattern QUOTED_OR_CAMEL =
      Pattern.compile("'[^']*'|(?<![\\w./-])[a-z]+(?:[A-Z][a-z]*)+(?![\\w./-])");

  private FieldToOptionNames() {}

  /** Returns a message with the names of the options that this command has. */
  public static String in(String message, CommandSpec command) {
    String begun = FIRST.matcher(message).replaceFirst(place -> first(place, command));
    return QUOTED_OR_CAMEL
        .matcher(begun)
        .replaceAll(field -> quoted(option(field.group(), command), field.group()));
  }

  private static String first(MatchResult place, CommandSpec command) {
    String entry = place.group(2);
    boolean part = place.group(1).equals("gang") && entry != null;
    Optional<String> option = option(part ? entry : place.group(1), command);
    return quoted(
        option.map(name -> part || entry == null ? name : name + " " + entry), place.group());
  }

  private static String quoted(Optional<String> option, String field) {
    return Matcher.quoteReplacement(option.orElse(field));
  }

  /** Returns the option of a field, of several the one that was typed; empty if there is none. */
  private static Optional<String> option(String field, CommandSpec command) {
    ParseResult typed = command.commandLine().getParseResult();
    return Stream.of(FieldTable.JOB, FieldTable.GANG)
        .flatMap(table -> table.find(field).stream())
        .map(JobField::options)
        .findFirst()
        .map(options -> options.stream().map(FieldOption::name))
        .orElse(Stream.of("--" + field.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT)))
        .filter(name -> command.findOption(name) != null)
        .min(Comparator.comparing(name -> typed == null || !typed.hasMatchedOption(name)));
  }
}
