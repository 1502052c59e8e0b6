package io.remuda.coordinator.cli.job;

import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.cli.freeze.WorkingTreeFreezeException;
import io.remuda.coordinator.cli.freeze.WorkingTreeFreezer;
import io.remuda.coordinator.cli.jobfile.ChosenVariables;
import io.remuda.coordinator.cli.jobfile.SubmittingShellEnvironment;
import io.remuda.coordinator.cli.option.BeginTime;
import io.remuda.coordinator.cli.option.FieldOptions;
import io.remuda.coordinator.cli.script.CommandWordsConsumer;
import io.remuda.coordinator.cli.script.LoginEnvironment;
import io.remuda.coordinator.cli.script.ScriptDirectiveApplier;
import io.remuda.coordinator.cli.select.JobFinder;
import io.remuda.coordinator.cli.stream.StandardStreamOptions;
import io.remuda.coordinator.cli.sweep.SweepOptions;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.jobfield.ContainerRows;
import io.remuda.coordinator.jobfield.FieldOption;
import io.remuda.coordinator.jobfield.FieldTable;
import io.remuda.coordinator.jobfield.GangRows;
import io.remuda.coordinator.jobfield.JobField;
import io.remuda.coordinator.jobfield.SubmissionRows;
import io.remuda.coordinator.jobfield.SweepRows;
import io.remuda.coordinator.jobfield.TimeRows;
import io.remuda.coordinator.jobfield.TrainingRows;
import io.remuda.coordinator.jobfield.WorkRows;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.TrainingTerms;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The options that describe a job, which become the fields of the HTTP interface. */
final class JobOptions {

  /** What a task finds, for the help. */
  static final String VARIABLES =
      "A task finds in its environment REMUDA_JOB, REMUDA_TASK_INDEX, REMUDA_TASK_COUNT,"
          + " REMUDA_ARRAY_INDEX, REMUDA_ATTEMPT, REMUDA_NODE, REMUDA_CPUS, REMUDA_MEM_MIB,"
          + " REMUDA_SCRATCH, CUDA_VISIBLE_DEVICES and more (docs/job-service.md).";

  final FieldOptions given = FieldOptions.ofJob();
  final SweepOptions sweep = new SweepOptions(given);
  final StandardStreamOptions streams = new StandardStreamOptions(given);

  @Mixin private final CommandSpec ofFields = given.mixin();

  @Parameters(
      arity = "0..*",
      paramLabel = "CMD ARGS",
      parameterConsumer = CommandWordsConsumer.class,
      description =
          "command and its arguments; what follows the command belongs to it. A script may have"
              + " options of its job in its head, as #REMUDA --gpus 1 (docs/scripts.md)")
  List<String> command = new ArrayList<>();

  /** What the job's script says besides options; null if it has no script. */
  ScriptDirectiveApplier.Remarks head;

  /** Returns whether the command is a line for the shell. */
  boolean isLine() {
    return given.has("--shell");
  }

  /** Returns the variables that are chosen for it, to which others can be added. */
  Map<String, String> env() {
    if (given.get(WorkRows.ENV) == null) {
      given.set(WorkRows.ENV, new LinkedHashMap<>());
    }
    return given.get(WorkRows.ENV);
  }

  /** Says which names in braces stay as they are, and whether commands take its name so. */
  void noteNames(PrintWriter err) {
    String name = given.get(WorkRows.NAME);
    JobFinder.takenFor(name).ifPresent(note -> err.println("remuda: warning: " + note));
    sweep.kept("name", name).ifPresent(note -> err.println("remuda: " + note));
    sweep
        .kept("folder", given.get(WorkRows.WORKDIR))
        .ifPresent(note -> err.println("remuda: " + note));
    sweep.unknown(command).ifPresent(note -> err.println("remuda: warning: " + note));
    err.flush();
  }

  /** Returns the line for the shell, if no option of this command would become a part of it. */
  private String line() {
    boolean whole = !command.isEmpty() && command.get(0).matches("(?s).*\\s.*");
    for (String word : whole ? command.subList(1, command.size()) : List.<String>of()) {
      if (given.command().optionsMap().containsKey(word.replaceFirst("=.*", ""))) {
        throw bad(word + " stands behind the line for the shell: write options before --shell");
      }
    }
    return String.join(" ", command);
  }

  /**
   * Returns the fields that were given, with this shell's environment, folder and umask.
   *
   * @throws ParameterException if an option makes no sense
   */
  Map<String, Object> request() {
    SubmittingShellEnvironment here = SubmittingShellEnvironment.of(caller());
    boolean gang = given.has("--gang");
    Map<String, Object> request = given.values();
    put(request, "shell", isLine() ? line() : null);
    put(request, "argv", isLine() ? null : command);
    Map<String, String> inherited = sweep.kept(inherited(here));
    request.put("env", ChosenVariables.over(inherited, env(), gang, given.command().commandLine()));
    request.put("workdir", folder());
    put(request, "project", request.containsKey("type") ? null : here.projectOf(folder()));
    put(request, "umask", here.umask());
    request.keySet().removeAll(FieldTable.GANG.names());
    put(request, "gang", gang());
    put(request, "after", after());
    putAllPaths(request);
    putTimes(request, given);
    put(request, "maxGpus", mostGpus());
    refuseAlone(request, TrainingRows.EPOCHS, " are of trainings: how many --epochs?");
    boolean chosen = request.containsKey("container") && !env().isEmpty();
    refuseAlone(request, ContainerRows.CONTAINER, " are of containers: which --container?");
    put(request, "containerEnv", chosen ? List.copyOf(env().keySet()) : null);
    request.putAll(sweep.fields());
    request.remove("openMode"); // it stays only beside what the streams have
    request.putAll(streams.fields());
    put(request, WorkingTreeFreezer.FREEZE, given.has("--freeze") ? true : null);
    return request;
  }

  private void putAllPaths(Map<String, Object> request) {
    for (JobField<?> folder : TrainingRows.FOLDERS) {
      request.computeIfPresent(folder.name(), (name, path) -> folder(folder, (String) path));
    }
    request.computeIfPresent(
        "container",
        (field, image) ->
            ((String) image).matches("\\.{1,2}/.*") ? absolute((String) image) : image);
    request.computeIfPresent(
        "mounts",
        (field, all) -> given.get(ContainerRows.MOUNTS).stream().map(this::mount).toList());
    request.computeIfPresent(
        "notifyTo",
        (field, to) ->
            ((String) to).matches("\\.{1,2}/.*") ? Path.of(caller().folder()) + "/" + to : to);
  }

  /** Puts the times that are given as the server reads them. */
  static void putTimes(Map<String, Object> fields, FieldOptions given) {
    for (JobField<String> field : List.of(SubmissionRows.BEGIN, SweepRows.FIRST_UNTIL)) {
      String option = field.options().get(0).names().get(0);
      put(fields, field.name(), BeginTime.option(option, given.get(field), given.command()));
    }
  }

  /** Refuses options that have no meaning without the option of another field. */
  private void refuseAlone(Map<String, Object> request, JobField<?> other, String why) {
    List<JobField<?>> beside = FieldTable.JOB.beside(other);
    if (!request.containsKey(other.name())
        && beside.stream().map(JobField::name).anyMatch(request::containsKey)) {
      String names =
          String.join(
              ", ",
              beside.stream()
                  .flatMap(field -> field.options().stream())
                  .map(FieldOption::name)
                  .toList());
      throw bad(names.replaceFirst(", ([^,]+)$", " and $1") + why);
    }
  }

  /** Returns only the fields that were given, of a job that is there already. */
  Map<String, Object> changes() {
    boolean env = !env().isEmpty();
    Map<String, Object> changes = request();
    if (command.isEmpty()) {
      changes.keySet().removeAll(List.of("argv", "shell"));
    }
    changes.keySet().removeAll(List.of("umask", "project", "clientKey"));
    if (given.get(WorkRows.WORKDIR) == null) {
      changes.remove("workdir");
    }
    if (env) {
      changes.put("env", env());
    } else {
      changes.remove("env");
    }
    return changes;
  }

  private Object gang() {
    Map<String, Object> terms = new LinkedHashMap<>();
    put(terms, "failure", given.get(GangRows.FAILURE));
    put(terms, "mixed", given.has("--mixed") ? true : null);
    boolean gang = given.has("--gang");
    if (!terms.isEmpty() && !gang) {
      throw bad("--gang-failure and --mixed require --gang");
    }
    return gang && terms.isEmpty() ? Boolean.TRUE : gang ? terms : null;
  }

  /** Returns the jobs that it starts after, with those that it follows task by task. */
  private List<String> after() {
    List<String> all = new ArrayList<>(or(given.get(TimeRows.AFTER)));
    for (String job : or(given.<List<String>>get("--after-each"))) {
      if (job.matches(".*:(" + JobDependency.OUTCOMES + ")")) {
        throw bad(
            "--after-each accepts the number or name of a job without an outcome, since each task"
                + " waits for the success of one; got '"
                + job
                + "': for other outcomes use --after JOB:ok|any|fail");
      }
      all.add(job + ":each");
    }
    checkAfter(given, !all.isEmpty());
    return all.isEmpty() ? null : all;
  }

  /** Refuses a job that starts after one of several, if it also starts after all of others. */
  static void checkAfter(FieldOptions given, boolean all) {
    if (all && given.get(TimeRows.AFTER_ONE_OF) != null) {
      throw new ParameterException(
          given.command().commandLine(),
          "--after and --after-one-of exclude each other: a job waits for all of its jobs or for"
              + " one of them");
    }
  }

  private static List<String> or(List<String> given) {
    return given == null ? List.of() : given;
  }

  private Integer mostGpus() {
    Integer most = given.get(TrainingRows.MAX_GPUS);
    boolean one = given.has("--single-gpu");
    if (one && most != null && most != 1) {
      throw bad("--single-gpu is --max-gpus 1, got --max-gpus " + most);
    }
    if (most != null && (most < 1 || most > TrainingTerms.MOST_GPUS)) {
      throw bad("--max-gpus must be 1 to " + TrainingTerms.MOST_GPUS + ", got " + most);
    }
    return one ? Integer.valueOf(1) : most;
  }

  /** Returns the absolute path of a folder, which may be missing here. */
  private String folder(JobField<?> field, String path) {
    String option = field.options().get(0).name();
    if (path.isEmpty()) {
      throw bad(option + " is empty: is a variable of your shell unset?");
    }
    Path found = caller().resolve(path(path));
    if (Files.exists(found) && !Files.isDirectory(found)) {
      throw bad(option + ": " + path + " is not a folder");
    }
    return absolute(path);
  }

  /** Returns a mount with the absolute path of its source, and of its target if that is equal. */
  private String mount(String text) {
    int colon = text.indexOf(':');
    String source = colon < 0 ? text : text.substring(0, colon);
    return source.isEmpty() || source.startsWith("/")
        ? text
        : absolute(source) + (colon < 0 ? "" : text.substring(colon));
  }

  /** Returns the absolute path of its working folder. */
  String folder() {
    String folder = given.get(WorkRows.WORKDIR);
    return folder == null ? caller().folder() : absolute(folder);
  }

  private String absolute(String given) {
    Path path = path(given);
    Path whole = path.isAbsolute() ? path : Path.of(caller().folder()).resolve(path);
    return whole.normalize().toString();
  }

  private Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException wrong) { // which this locale cannot encode
      throw bad("'" + text + "' is not a path: " + wrong.getReason());
    }
  }

  private ParameterException bad(String message) {
    return new ParameterException(given.command().commandLine(), message);
  }

  /** Returns who calls the command of these options. */
  Caller caller() {
    return Caller.of(given.command());
  }

  static void put(Map<String, Object> request, String field, Object value) {
    if (value != null) {
      request.put(field, value);
    }
  }

  /** Returns the shell's environment, or what the job's script wants in its place. */
  private Map<String, String> inherited(SubmittingShellEnvironment shell) {
    if (head == null) {
      return shell.environment();
    }
    try {
      return head.export().over(shell.environment(), new LoginEnvironment(caller().environment()));
    } catch (IllegalArgumentException none) {
      throw new ParameterException(
          given.command().commandLine(), "#SBATCH --export: " + none.getMessage(), none);
    }
  }

  /** Returns whether the job's script wants its submission to wait for its end. */
  boolean waits() {
    return head != null && head.waits();
  }

  /**
   * Returns a request with its frozen tree, if it is to have one.
   *
   * @param keep whether the tree is kept; else it is only looked at
   * @throws ParameterException if it cannot be frozen
   */
  static Map<String, Object> frozen(Map<String, Object> request, boolean keep, CommandLine line)
      throws IOException {
    try {
      return new WorkingTreeFreezer(Caller.of(line.getCommandSpec()), Clock.systemUTC())
          .frozen(request, keep);
    } catch (WorkingTreeFreezeException no) {
      throw new ParameterException(line, no.getMessage(), no);
    }
  }

  /** Submits the job and returns its number. */
  String submit(RestClient server) throws IOException {
    Map<String, Object> request = frozen(request(), true, given.command().commandLine());
    return server.post("/jobs", request).path("ids").path(0).asText();
  }
}
