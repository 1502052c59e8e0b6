package io.remuda.coordinator.cli.job;

import io.remuda.agent.attempt.ThreadCountVariables;
import io.remuda.agent.protocol.SbatchScriptVariables;
import io.remuda.agent.settings.NotUtf8Exception;
import io.remuda.agent.settings.file.BadSettingsException;
import io.remuda.coordinator.cli.jobfile.SubmittingShellEnvironment;
import io.remuda.coordinator.cli.script.JobScript;
import io.remuda.coordinator.cli.script.PipedScript;
import io.remuda.coordinator.cli.script.ScriptDirectiveApplier;
import io.remuda.coordinator.cli.script.ScriptInvocation;
import io.remuda.coordinator.cli.script.ScriptLookup;
import io.remuda.coordinator.jobfield.SweepRows;
import io.remuda.coordinator.jobfield.WorkRows;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.sweep.IndexRanges;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** Gives a job whose command is a script the options in the script's head. */
final class JobScriptOptionsReader {

  static final String NO_COMMAND =
      "give a command after --, a file with jobs, or a script on stdin";

  /** The options that a script may give. */
  @Command
  private static final class OptionsOfScripts {
    @Mixin private JobOptions job = new JobOptions();
  }

  /** Where the output of a script for sbatch goes if neither script nor command line says. */
  enum Output {
    /** To a file in the working folder, as sbatch has it. */
    IN_FILE,
    /** To its node, for a command that prints it. */
    AT_NODE
  }

  private JobScriptOptionsReader() {}

  /**
   * Finds the script and sets what it says, unless it was typed. Warns of options without meaning.
   *
   * @param usual where the output of a script for sbatch goes if nobody says
   * @throws ParameterException if a directive is wrong
   */
  static void read(JobOptions job, CommandLine typed, PrintWriter err, Output usual) {
    if (job.isLine()) {
      return;
    }
    Optional<ScriptInvocation> found;
    try {
      found = ScriptInvocation.of(job.command, lookup(job));
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(typed, wrong.getMessage(), wrong);
    }
    if (found.isPresent()) {
      String folder = job.folder();
      int afterScript = job.command.size();
      use(found.get(), job, typed, err, usual);
      if (!job.folder().equals(folder)) { // a directive has moved the job, not the script
        List<String> command = new ArrayList<>(job.command);
        command.set(command.size() - afterScript, found.get().script().file().toString());
        job.command = command;
      }
    }
  }

  /**
   * Reads the script from a stream, for a job that has no command, and sets what it says.
   *
   * @throws ParameterException if there is none, or one that cannot be run so
   */
  static void readFrom(InputStream in, JobOptions job, CommandLine typed, PrintWriter err) {
    Optional<ScriptInvocation> found;
    try {
      found = PipedScript.read(in);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(typed, wrong.getMessage(), wrong);
    } catch (IOException unreadable) {
      throw new ParameterException(
          typed, "cannot read a script from stdin: " + unreadable.getMessage(), unreadable);
    }
    use(
        found.orElseThrow(() -> new ParameterException(typed, NO_COMMAND)),
        job,
        typed,
        err,
        Output.IN_FILE);
  }

  private static void use(
      ScriptInvocation found, JobOptions job, CommandLine typed, PrintWriter err, Output usual) {
    String variables = SlurmVariables.setting(job);
    boolean file =
        SlurmFiles.isInFile(job) && usual == Output.IN_FILE && found.script().hasOptionsOfSbatch();
    ScriptDirectiveApplier.Files files =
        new ScriptDirectiveApplier.Files(!variables.equals(SlurmVariables.ALL), file);
    ScriptDirectiveApplier.Remarks head =
        new ScriptDirectiveApplier(
                found.script(), typed, () -> new CommandLine(new OptionsOfScripts()), files)
            .apply();
    job.command = found.command();
    job.head = head;
    if (job.given.get(WorkRows.NAME) == null) {
      job.given.set(WorkRows.NAME, found.script().name());
    }
    head.warnings().forEach(warning -> warn(warning, err));
    if (head.threads() > 0) {
      limitThreads(head.threads(), job);
    }
    SlurmVariables.give(found.script(), head, job, variables, err);
    SlurmFiles.give(job, file);
  }

  /** Has each task that the script starts use its own part of the CPUs, unless the user says. */
  private static void limitThreads(int threads, JobOptions job) {
    Map<String, String> shell = SubmittingShellEnvironment.of(job.caller()).environment();
    ThreadCountVariables.NAMES.stream()
        .filter(name -> !shell.containsKey(name))
        .forEach(name -> job.env().putIfAbsent(name, Integer.toString(threads)));
  }

  static void warn(String warning, PrintWriter err) {
    err.println("remuda: warning: " + PrintableText.of(warning) + " (docs/scripts.md)");
    err.flush();
  }

  private static ScriptLookup lookup(JobOptions job) {
    String path =
        job.env()
            .getOrDefault(
                "PATH", SubmittingShellEnvironment.of(job.caller()).environment().get("PATH"));
    return new ScriptLookup(
        shellFolder(job), Path.of(job.folder()), path == null ? ScriptLookup.DEFAULT_PATH : path);
  }

  /** Returns the shell's folder, or the job's if no job could carry the name of the shell's. */
  static Path shellFolder(JobOptions job) {
    try {
      return Path.of(job.caller().folder());
    } catch (NotUtf8Exception unspeakable) {
      return Path.of(job.folder());
    }
  }

  /**
   * Has the tasks of a job find Slurm's variables. A script for sbatch, of which each task runs
   * one, has all that sbatch sets, whichever of its programs reads them. A gang, or a job of
   * several equal tasks, has those that the script names.
   */
  private static final class SlurmVariables {

    /** Variable of a shell by which its scripts get fewer. */
    static final String SETTING = "REMUDA_SLURM_VARIABLES";

    static final String ALL = "all";

    private static final String SUBMIT_DIR = "SLURM_SUBMIT_DIR";
    private static final String SUBMIT_HOST = "SLURM_SUBMIT_HOST";
    private static final Pattern STEP = Pattern.compile(":(\\d+)");

    private SlurmVariables() {}

    /**
     * Returns the value of {@link #SETTING}.
     *
     * @throws BadSettingsException if {@link #SETTING} has a value that it cannot have
     */
    static String setting(JobOptions job) {
      String setting = job.caller().environment().getOrDefault(SETTING, ALL);
      if (!Set.of(ALL, "named", "none", "").contains(setting)) {
        throw new BadSettingsException(
            SETTING + " must be all, named or none, got '" + PrintableText.of(setting) + "'");
      }
      return setting.isEmpty() ? ALL : setting;
    }

    /** Adds the variables to the environment of a job; those that were chosen for it stay. */
    static void give(
        JobScript script,
        ScriptDirectiveApplier.Remarks head,
        JobOptions job,
        String setting,
        PrintWriter err) {
      if (setting.equals("none") || !script.isForSbatch()) {
        return;
      }
      Map<String, String> stated = new HashMap<>(head.variables());
      stated.putAll(ofArray(job));
      stated.put(SUBMIT_DIR, shellFolder(job).toString());
      Integer count = job.given.get(WorkRows.COUNT);
      boolean several = job.given.has("--gang") || count != null && count > 1;
      List<String> unknown = new ArrayList<>(script.slurmVariables());
      if (several || setting.equals("named")) {
        named(unknown, stated, job);
        if (several && script.slurmPrograms().srun() && !setting.equals("named")) {
          job.env().putIfAbsent(SbatchScriptVariables.SRUN, "member");
        }
      } else {
        stated.put(SUBMIT_HOST, SbatchScriptVariables.hostName().orElse("localhost"));
        stated.forEach(job.env()::putIfAbsent);
        job.env().putIfAbsent(SbatchScriptVariables.BATCH, Long.toString(head.tasks()));
        unknown.removeIf(SbatchScriptVariables::isOfBatch);
        unknown.removeIf(head::isOfSomeHeads);
      }
      unknown.removeAll(job.env().keySet());
      if (!unknown.isEmpty()) {
        warn(
            script.name() + ": these variables are not set here: " + String.join(", ", unknown),
            err);
      }
    }

    /** Gives those that the script names, and leaves the names of others. */
    private static void named(List<String> names, Map<String, String> stated, JobOptions job) {
      List<String> known = names.stream().filter(SbatchScriptVariables.KNOWN::contains).toList();
      names.stream()
          .filter(name -> !stated.getOrDefault(name, "").isEmpty())
          .forEach(name -> job.env().putIfAbsent(name, stated.get(name)));
      names.removeAll(known);
      List<String> wanted = known.stream().filter(name -> !job.env().containsKey(name)).toList();
      if (!wanted.isEmpty()) {
        job.env().putIfAbsent(SbatchScriptVariables.WANTED, String.join(",", wanted));
      }
    }

    /** Returns what Slurm says of an array; a wrong one is refused by the server. */
    private static Map<String, String> ofArray(JobOptions job) {
      try {
        String array = job.given.get(SweepRows.ARRAY);
        String text = array == null ? "" : array.replaceFirst("%.*", "");
        IndexRanges indices = IndexRanges.parse(text);
        int least = IntStream.range(0, indices.size()).map(indices::get).min().orElse(0);
        Matcher step = STEP.matcher(text);
        return Map.of(
            "SLURM_ARRAY_TASK_MIN",
            Integer.toString(least),
            "SLURM_ARRAY_TASK_MAX",
            Integer.toString(indices.greatest()),
            "SLURM_ARRAY_TASK_STEP",
            step.find() ? step.group(1) : "1");
      } catch (IllegalArgumentException noArray) {
        return Map.of();
      }
    }
  }

  /** Has the files of a script for sbatch be those that sbatch writes. */
  private static final class SlurmFiles {

    /** Variable of a shell by which the output of its scripts stays with their nodes. */
    static final String SETTING = "REMUDA_SLURM_OUTPUT";

    private SlurmFiles() {}

    /**
     * Returns whether output goes to a file that nobody has chosen.
     *
     * @throws BadSettingsException if {@link #SETTING} has a value that it cannot have
     */
    static boolean isInFile(JobOptions job) {
      String setting = job.caller().environment().getOrDefault(SETTING, "");
      if (!Set.of("file", "node", "").contains(setting)) {
        throw new BadSettingsException(
            SETTING + " must be file or node, got '" + PrintableText.of(setting) + "'");
      }
      return !setting.equals("node");
    }

    /** Tells the server of names that it could not have otherwise. */
    static void give(JobOptions job, boolean inFile) {
      boolean swept = job.sweep.isOne();
      boolean numbered = swept && job.env().containsKey(SbatchScriptVariables.BATCH);
      String usual = swept ? "slurm-%j_%a.out" : "slurm-%j.out";
      String files = job.streams.filesOfSbatch(numbered, inFile ? place(job) + usual : null);
      if (files != null) {
        job.env().put(SbatchScriptVariables.FILES, files);
      }
    }

    /** A copy of the working tree is removed with its task, so the file is in the tree itself. */
    private static String place(JobOptions job) {
      boolean copied = job.given.has("--freeze");
      return copied ? job.folder().replace("%", "%%") + "/" : "";
    }
  }
}
