package io.remuda.coordinator.cli.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Gives a command the options in the head of its script. What was typed counts before {@code
 * #REMUDA}, and that before {@code #SBATCH}.
 */
public final class ScriptDirectiveApplier {

  private final JobScript script;
  private final CommandLine typed;
  private final Supplier<CommandLine> fresh;
  private final Files files;

  /**
   * What is known of the files of a script for sbatch before it is read.
   *
   * @param ofTasks whether {@code %t} and {@code %a} are the task's here, as in earlier builds,
   *     even if the script runs once
   * @param usual whether stdout goes to a file if nobody has chosen one
   */
  public record Files(boolean ofTasks, boolean usual) {}

  /**
   * @param typed the command, whose command line was parsed
   * @param fresh makes a command with the options that a script may give
   */
  public ScriptDirectiveApplier(
      JobScript script, CommandLine typed, Supplier<CommandLine> fresh, Files files) {
    this.script = script;
    this.typed = typed;
    this.fresh = fresh;
    this.files = files;
  }

  /**
   * What a script's head says besides options.
   *
   * @param warnings each a sentence
   * @param variables those that the script would find in Slurm because of its head
   * @param threads how many each task that the script starts may have; 0 for all CPUs of the job
   * @param tasks how many tasks the script starts, 1 or more
   * @param export what the script has of the environment of the shell that submits it
   * @param waits whether the one who submits it waits until it has ended
   */
  public record Remarks(
      List<String> warnings,
      Map<String, String> variables,
      int threads,
      long tasks,
      SbatchExport export,
      boolean waits) {

    /** Returns whether sbatch sets a variable for some heads only. */
    public boolean isOfSomeHeads(String name) {
      return SbatchStatedVariables.ONLY_SOMETIMES.contains(name);
    }
  }

  /** What an option of Remuda says in place of one of sbatch: the variables of these go. */
  private static final Map<String, List<String>> OTHERWISE =
      Map.of(
          "--cpus",
          List.of("SLURM_CPUS_PER_TASK", "SLURM_CPUS_PER_GPU"),
          "--mem",
          List.of("SLURM_MEM_PER_NODE", "SLURM_MEM_PER_CPU", "SLURM_MEM_PER_GPU"),
          "--gpus",
          List.of(
              "SLURM_GPUS", "SLURM_GPUS_PER_NODE", "SLURM_GPUS_PER_TASK", "SLURM_GPUS_PER_SOCKET"));

  /** Options by which each task is one of an array. */
  private static final List<String> SWEEPS =
      List.of("--array", "--each-line", "--from-json", "--from-csv", "--param");

  /**
   * Sets the options.
   *
   * @throws ParameterException if a directive is wrong; the message has the script and mostly the
   *     line
   */
  public Remarks apply() {
    SbatchTranslation sbatch;
    Map<String, OptionSpec> own;
    try {
      SbatchOptions options = SbatchOptions.of(script);
      Map<String, OptionSpec> ours = ofRemuda();
      own = ours;
      sbatch =
          new SbatchTranslation(
              script,
              options,
              known(),
              names(options, own),
              files.usual(),
              name -> Objects.toString(value(name, ours), null));
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(typed, wrong.getMessage(), wrong);
    }
    Map<String, OptionSpec> chosen = new LinkedHashMap<>();
    List<String> words = new ArrayList<>();
    sbatch.options().forEach((name, values) -> words.addAll(words(name, values)));
    chosen.putAll(parsed(script.name() + ": #SBATCH: ", words));
    chosen.putAll(own);
    chosen.forEach(this::set);
    List<String> warnings = new ArrayList<>(sbatch.notes());
    if (!script.foreign().isEmpty()) {
      warnings.add(
          "lines with "
              + String.join(", ", script.foreign())
              + " are not read: write #REMUDA and options of remuda submit");
    }
    if (script.isForSbatch()) {
      script.slurmPrograms().warning().ifPresent(warnings::add);
    }
    warnings.replaceAll(warning -> script.name() + ": " + warning);
    return new Remarks(
        warnings,
        variables(sbatch, own),
        sbatch.threads(),
        sbatch.tasks(),
        sbatch.export(),
        sbatch.waits());
  }

  /** Returns the variables of the head, of which the node fills in those that we were told. */
  private Map<String, String> variables(SbatchTranslation sbatch, Map<String, OptionSpec> own) {
    Map<String, String> variables = new LinkedHashMap<>(sbatch.variables());
    OTHERWISE.forEach(
        (option, names) -> {
          if (own.containsKey(option) || typed.getParseResult().hasMatchedOption(option)) {
            variables.keySet().removeAll(names);
            variables.put(names.get(0), "");
          }
        });
    return variables;
  }

  /** Returns how names of files are read, by what the script is run as. */
  private SlurmFileNamePatterns names(SbatchOptions options, Map<String, OptionSpec> own) {
    boolean swept =
        options.value("array") != null
            || SWEEPS.stream().anyMatch(name -> value(name, own) != null);
    boolean several =
        Boolean.TRUE.equals(value("--gang", own))
            || value("--count", own) instanceof Integer count && count > 1;
    return new SlurmFileNamePatterns(swept || files.ofTasks(), several || files.ofTasks());
  }

  /** Returns the value that was typed, or that a line of ours has; null for none. */
  private Object value(String name, Map<String, OptionSpec> own) {
    OptionSpec given =
        typed.getParseResult().hasMatchedOption(name)
            ? typed.getCommandSpec().findOption(name)
            : own.get(name);
    return given == null ? null : given.getValue();
  }

  private Set<String> known() {
    return fresh.get().getCommandSpec().optionsMap().keySet();
  }

  private static List<String> words(String name, List<String> values) {
    return values.isEmpty()
        ? List.of(name)
        : values.stream().map(value -> name + "=" + value).toList();
  }

  private Map<String, OptionSpec> ofRemuda() {
    List<String> all = new ArrayList<>();
    for (DirectiveLine line : script.directives(DirectiveLine.Kind.REMUDA)) {
      parsed(script.place(line), line.words());
      all.addAll(line.words());
    }
    return parsed(script.name() + ": ", all);
  }

  /** Returns the options that words give, with their values, by the longest name. */
  private Map<String, OptionSpec> parsed(String place, List<String> words) {
    CommandLine line = fresh.get().setOverwrittenOptionsAllowed(true);
    ParseResult result;
    try {
      result = line.parseArgs(words.toArray(String[]::new));
    } catch (ParameterException wrong) {
      throw new ParameterException(typed, place + wrong.getMessage(), wrong);
    }
    List<String> command = line.getCommandSpec().positionalParameters().get(0).getValue();
    if (!command.isEmpty()) {
      throw new ParameterException(
          typed, place + "a directive has only options, got '" + command.get(0) + "'");
    }
    Map<String, OptionSpec> given = new LinkedHashMap<>();
    result.matchedOptions().forEach(option -> given.put(option.longestName(), option));
    return given;
  }

  private void set(String name, OptionSpec given) {
    if (!typed.getParseResult().hasMatchedOption(name)) {
      typed.getCommandSpec().findOption(name).setValue(given.getValue());
    }
  }
}
