package io.remuda.agent.commandline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Says in one line what is wrong with a command line: the option or word, its value, and what to
 * write. It words the faults that picocli finds; a message of our own stays as it is.
 */
public final class UsageErrorText {

  /** What picocli puts before the message of a converter. */
  private static final Pattern OF_VALUE =
      Pattern.compile("^Invalid value for (option|positional parameter)[^:]*(\\([^)]*\\))?[^:]*: ");

  private final ParameterException fault;
  private final CommandSpec command;
  private final Collection<String> commands;

  private UsageErrorText(ParameterException fault, Collection<String> commands) {
    this.fault = fault;
    this.command = fault.getCommandLine().getCommandSpec();
    this.commands = commands;
  }

  /**
   * Returns the line, which ends with the command that shows help. It may contain text from the
   * user, so escape it for a terminal.
   *
   * @param commands names of all commands of the program, of which picocli may know only some
   */
  public static String of(ParameterException fault, Collection<String> commands) {
    UsageErrorText text = new UsageErrorText(fault, commands);
    return text.sentence() + " (see " + text.command.qualifiedName(" ") + " --help)";
  }

  private String sentence() {
    List<String> unknown = unknown();
    if (!unknown.isEmpty() && !unknown.get(0).startsWith("-") && hasCommands()) {
      return unknownCommand(unknown.get(0));
    }
    for (String word : unknown) {
      if (word.startsWith("-") && word.length() > 1) {
        return unknownOption(word);
      }
    }
    if (!unknown.isEmpty()) {
      return "'" + unknown.get(0) + "' is one word too many: " + usage();
    }
    if (fault instanceof MissingParameterException missing) {
      return missing(missing.getMissing());
    }
    return fault.getArgSpec() == null ? fault.getMessage() : badValue(fault.getArgSpec());
  }

  /** Returns the words that are not known, also if picocli found first that another is missing. */
  private List<String> unknown() {
    if (fault instanceof UnmatchedArgumentException unmatched) {
      return unmatched.getUnmatched();
    }
    return fault instanceof MissingParameterException
        ? fault.getCommandLine().getUnmatchedArguments()
        : List.of();
  }

  private boolean hasCommands() {
    return command.parent() == null && !commands.isEmpty() || !command.subcommands().isEmpty();
  }

  private String unknownCommand(String word) {
    Set<String> known = new LinkedHashSet<>(command.subcommands().keySet());
    if (command.parent() == null) {
      known.addAll(commands);
    }
    Set<String> offered = new LinkedHashSet<>(known);
    offered.add("--version");
    String advice = advice(ForeignToolSynonyms.command(word, offered), word, known);
    if (advice.isEmpty() && command.parent() != null) {
      advice = "; there are " + String.join(", ", known);
    }
    return "no such command: '" + word + "'" + advice;
  }

  private static String advice(List<String> foreign, String word, Collection<String> known) {
    List<String> meant = foreign.isEmpty() ? SimilarWords.to(word, known) : foreign;
    return meant.isEmpty() ? "" : "; did you mean " + String.join(" or ", meant) + "?";
  }

  private String unknownOption(String typed) {
    String name = typed.replaceFirst("=.*", "");
    Set<String> known =
        command.options().stream()
            .filter(option -> !option.hidden())
            .flatMap(option -> List.of(option.names()).stream())
            .collect(Collectors.toCollection(LinkedHashSet::new));
    String letter = name.startsWith("--") ? name : name.substring(0, 2);
    Optional<String> hint = UnsupportedOptionHints.of(command.name(), letter);
    if (hint.isPresent()) {
      return "no such option: '" + letter + "'; " + hint.get();
    }
    String advice = "";
    if (name.startsWith("--")) {
      known.removeIf(one -> !one.startsWith("--"));
      advice = advice(ForeignToolSynonyms.option(name, known), name, known);
    } else {
      List<String> meant = ForeignToolSynonyms.option(letter, known);
      advice = meant.isEmpty() ? "" : "; did you mean " + meant.get(0) + "?";
    }
    return "no such option: '" + name + "'" + advice;
  }

  private String missing(List<ArgSpec> missing) {
    boolean ofValue = fault.getMessage().contains("arameter for option");
    if (ofValue && missing.get(0) instanceof OptionSpec option) {
      return option.longestName() + " has no value: write " + synopsis(option);
    }
    return missing.stream()
            .map(UsageErrorText::synopsis)
            .collect(Collectors.joining(" and ", "give ", ""))
        + ": "
        + usage();
  }

  /** Returns the command with all that it needs, such as {@code remuda show JOB}. */
  private String usage() {
    List<String> words = new ArrayList<>(List.of(command.qualifiedName(" ")));
    command.options().stream()
        .filter(OptionSpec::required)
        .map(UsageErrorText::synopsis)
        .forEach(words::add);
    for (PositionalParamSpec one : command.positionalParameters()) {
      if (!one.hidden()) {
        String label = one.paramLabel() + (one.arity().max() > 1 ? "..." : "");
        words.add(one.arity().min() == 0 ? "[" + label + "]" : label);
      }
    }
    return String.join(" ", words);
  }

  private static String synopsis(ArgSpec arg) {
    return arg instanceof OptionSpec option
        ? option.longestName() + " " + option.paramLabel()
        : arg.paramLabel();
  }

  private String badValue(ArgSpec arg) {
    String name = arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
    String value = fault.getValue();
    String got = value == null ? "" : ", got '" + value + "'";
    Class<?> type = arg.auxiliaryTypes().length > 0 ? arg.auxiliaryTypes()[0] : arg.type();
    if (arg.isOption() && arg.arity().max() == 0) {
      return name + " takes no value" + got;
    } else if (arg.typeInfo().isMap()) {
      return name + " must be " + arg.paramLabel() + got;
    } else if (arg.converters().length > 0) {
      String message = OF_VALUE.matcher(fault.getMessage()).replaceFirst("");
      return message.startsWith(name) ? message : name + ": " + message;
    } else if (type == Integer.class
        || type == int.class
        || type == Long.class
        || type == long.class) {
      return name + " must be a whole number" + range(value) + got;
    } else if (type == Double.class || type == double.class) {
      return name + " must be a number" + got;
    }
    return fault.getMessage().startsWith("Invalid value")
        ? name + ": " + OF_VALUE.matcher(fault.getMessage()).replaceFirst("")
        : fault.getMessage();
  }

  private static String range(String value) {
    boolean tooLarge = value != null && value.matches("[+-]?\\d{10,}");
    return tooLarge ? String.format(Locale.ROOT, " up to %d", Integer.MAX_VALUE) : "";
  }

  /**
   * What to say of options of Slurm and HyperQueue that have no option here in their place: what
   * they ask for happens anyway, or is written in another way.
   */
  private static final class UnsupportedOptionHints {

    private static final String NUMBER = "name jobs without an option: remuda state 5";
    private static final String WATCH = "remuda top shows the jobs and keeps them up to date";

    /** Sentences by command and option. */
    private static final Map<String, String> HINTS =
        Map.of(
            "submit --parsable",
            "submit prints the number of the job alone in scripts, and on a terminal with --quiet",
            "state -j",
            NUMBER,
            "state --job",
            NUMBER,
            "state --jobs",
            NUMBER,
            "state --start",
            "remuda state shows anyway when jobs that wait may start",
            "state -w",
            WATCH,
            "state --watch",
            WATCH,
            "state -i",
            WATCH,
            "state --iterate",
            WATCH);

    private UnsupportedOptionHints() {}

    /**
     * Returns the sentence for an option that a command does not have; empty if there is none.
     *
     * @param command its name, as {@code state}
     * @param option as {@code -j} or {@code --parsable}
     */
    static Optional<String> of(String command, String option) {
      return Optional.ofNullable(HINTS.get(command + " " + option));
    }
  }
}
