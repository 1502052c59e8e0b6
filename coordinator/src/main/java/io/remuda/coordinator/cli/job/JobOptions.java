package io.remuda.coordinator.cli.job;

import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.cli.jobfile.ChosenVariables;
import io.remuda.coordinator.cli.jobfile.SubmittingShellEnvironment;
import io.remuda.coordinator.cli.placement.AfterOneOfOption;
import io.remuda.coordinator.cli.placement.PlacementOptions;
import io.remuda.coordinator.cli.script.CommandWordsConsumer;
import io.remuda.coordinator.cli.select.JobFinder;
import io.remuda.coordinator.cli.stream.StandardStreamOptions;
import io.remuda.coordinator.cli.sweep.SweepOptions;
import io.remuda.coordinator.cli.words.GpuCountConverter;
import io.remuda.coordinator.client.RestClient;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options that describe a job, which become the fields of the HTTP interface. */
final class JobOptions {

  /** What a task finds, for the help. */
  static final String VARIABLES =
      "A task finds in its environment REMUDA_JOB, REMUDA_TASK_INDEX, REMUDA_TASK_COUNT,"
          + " REMUDA_ARRAY_INDEX, REMUDA_ATTEMPT, REMUDA_NODE, REMUDA_CPUS, REMUDA_MEM_MIB,"
          + " REMUDA_SCRATCH, CUDA_VISIBLE_DEVICES and more (docs/job-service.md).";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = {"-J", "--name"},
      paramLabel = "TEXT",
      description = "name of the job in lists (default: the program's name)")
  String name;

  @Option(
      names = {"-n", "--count"},
      paramLabel = "N",
      description = "number of tasks (default: 1)")
  Integer count;

  @Option(names = "--gang", description = "start all tasks together; if one fails, end all")
  boolean gang;

  @Option(
      names = "--gang-failure",
      paramLabel = "WHAT",
      description =
          "if a task of the gang fails: fail (end all, default), restart (all, as often as"
              + " --retries says, 3 by default) or ignore")
  String gangFailure;

  @Option(names = "--mixed", description = "the gang may have GPUs of different models")
  boolean mixed;

  @Option(
      names = "--max-running",
      paramLabel = "N",
      description = "run at most N of its tasks at once")
  Integer maxRunning;

  @Option(
      names = {"-c", "--cpus"},
      paramLabel = "C",
      description = "CPU cores of each task, such as 0.5 (default: 1)")
  Double cpus;

  @Option(
      names = "--mem",
      paramLabel = "SIZE",
      description =
          "memory of each task, such as 6G, 512M or 6GiB; one that takes more is ended, and runs"
              + " again with 1.5 times as much, unless --retries 0 is given")
  String mem;

  @Option(
      names = {"-G", "--gpus"},
      paramLabel = "G",
      converter = GpuCountConverter.class,
      description =
          "GPUs of each task (default: 0, or 1 beside --gpu-mem, --gpu-model or --per-gpu)")
  Integer gpus;

  @Option(
      names = "--gpu-mem",
      paramLabel = "SIZE",
      description =
          "memory that each task needs on each of its GPUs, which other tasks may then share;"
              + " auto: what jobs of its type were measured to need; whole: whole GPUs (default:"
              + " whole, unless the server is configured otherwise)")
  String gpuMem;

  @Option(
      names = "--gpu-model",
      paramLabel = "TEXT",
      description =
          "only GPUs whose model name contains this text; of several, as 'A100|H100', the first"
              + " that is free")
  String gpuModel;

  @Option(
      names = "--label",
      paramLabel = "KEY=VALUE",
      description =
          "only nodes with this label, or with one of several values, as 'rack=1|2'; may be repeated")
  Map<String, String> labels = new LinkedHashMap<>();

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description =
          "choice among nodes that fit: foresight (default), pack, spread, best-fit or another")
  String policy;

  @Option(
      names = "--per-gpu",
      paramLabel = "N",
      description = "at most N tasks on each of its GPUs; without --gpu-mem each may use 1/N of it")
  Integer perGpu;

  @Option(
      names = "--share-if",
      paramLabel = "SPEED",
      description =
          "with --gpu-mem auto: share GPUs only as long as it keeps that much of its speed alone, 0.1"
              + " to 0.99, as 0.85; at most two tasks on a GPU")
  Double shareIf;

  @Option(names = "--exclusive", description = "no other task on its GPUs; means --per-gpu 1")
  boolean exclusive;

  @Option(
      names = {"-p", "--priority"},
      paramLabel = "P",
      description = "jobs of higher priority start first (default: 0)")
  Integer priority;

  @Option(
      names = "--after",
      paramLabel = "JOB[:ok|any|fail|each]",
      split = ",",
      description =
          "start after that job has ended this way (default: ok); each: as --after-each; several"
              + " as 2:ok,1:any, or repeated")
  List<String> after = new ArrayList<>();

  @Option(
      names = {"-t", "--time-limit"},
      paramLabel = "D",
      description = "time limit of each attempt, such as 90s, 6h, 1h30m, 01:30:00 or 2d")
  String timeLimit;

  @Option(
      names = "--job-time-limit",
      paramLabel = "D",
      description = "time limit of the whole job from the start of its first task")
  String jobTimeLimit;

  @Option(
      names = "--grace",
      paramLabel = "D",
      description = "from SIGTERM to SIGKILL when it is ended (30s); at most 1h")
  String grace;

  @Option(
      names = "--signal",
      paramLabel = "SIG@D",
      description =
          "a signal that its first process gets D before the time limit, as USR1@5m; HUP, INT,"
              + " QUIT, USR1, USR2 or TERM; all:USR1@5m: every process that handles it")
  String signal;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description =
          "how often a task that fails or is interrupted runs again; 0: never, not with more"
              + " memory either (default: only with more memory)")
  Integer retries;

  @Option(
      names = "--preemptible",
      description = "its tasks may be asked to leave for tasks of higher priority, and wait again")
  boolean preemptible;

  @Option(
      names = "--preempt-signal",
      paramLabel = "SIG",
      description = "the signal that asks (TERM), or all:SIG; SIGKILL follows after --grace")
  String preemptSignal;

  @Option(
      names = "--on-preempt",
      paramLabel = "WHAT",
      description = "what becomes of a task that has left: requeue (default), hold or cancel")
  String onPreempt;

  @Option(
      names = "--preempt-after",
      paramLabel = "D",
      description = "how long an attempt runs before it may be asked (1m)")
  String preemptAfter;

  @Option(
      names = "--max-preemptions",
      paramLabel = "N",
      description = "how often a task may be asked (1000)")
  Integer maxPreemptions;

  @CommandLine.Mixin SweepOptions sweep = new SweepOptions();

  @CommandLine.Mixin TrainingOptions training = new TrainingOptions();

  @CommandLine.Mixin ContainerOptions container = new ContainerOptions();

  @CommandLine.Mixin StandardStreamOptions streams = new StandardStreamOptions();
  @CommandLine.Mixin private PlacementOptions placement = new PlacementOptions();
  @CommandLine.Mixin private AfterOneOfOption afterOne = new AfterOneOfOption();
  @CommandLine.Mixin PinAndFreezeOptions launch = new PinAndFreezeOptions();

  @Option(
      names = "--env",
      paramLabel = "KEY=VALUE",
      description = "variable to add to this shell's environment; may be repeated")
  Map<String, String> env = new LinkedHashMap<>();

  @Option(
      names = "--workdir",
      paramLabel = "DIR",
      description = "working folder (default: the current one)")
  Path workdir;

  @Option(names = "--hold", description = "start only after remuda release")
  boolean hold;

  @Option(
      names = "--type",
      paramLabel = "NAME",
      description = "name for jobs with similar needs, which are measured together")
  String type;

  @Option(names = "--shell", description = "run the command as one line by /bin/sh")
  boolean shell;

  @Option(
      names = "--key",
      paramLabel = "TEXT",
      description = "idempotency key: submitting again with it returns the first job's number")
  String key;

  @Parameters(
      arity = "0..*",
      paramLabel = "CMD ARGS",
      parameterConsumer = CommandWordsConsumer.class,
      description =
          "command and its arguments; what follows the command belongs to it. A script may have"
              + " options of its job in its head, as #REMUDA --gpus 1 (docs/scripts.md)")
  List<String> command = new ArrayList<>();

  /** Says which names in braces stay as they are, and whether commands take its name so. */
  void noteNames(PrintWriter err) {
    JobFinder.takenFor(name).ifPresent(note -> err.println("remuda: warning: " + note));
    sweep.kept("name", name).ifPresent(note -> err.println("remuda: " + note));
    sweep
        .kept("folder", workdir == null ? null : workdir.toString())
        .ifPresent(note -> err.println("remuda: " + note));
    sweep.unknown(command).ifPresent(note -> err.println("remuda: warning: " + note));
    err.flush();
  }

  /** Returns the line for the shell, if no option of this command would become a part of it. */
  private String line() {
    boolean whole = !command.isEmpty() && command.get(0).matches("(?s).*\\s.*");
    for (String word : whole ? command.subList(1, command.size()) : List.<String>of()) {
      if (spec.optionsMap().containsKey(word.replaceFirst("=.*", ""))) {
        throw new ParameterException(
            spec.commandLine(),
            word + " stands behind the line for the shell: write options before --shell");
      }
    }
    return String.join(" ", command);
  }

  /** Returns the fields that were given, with this shell's environment, folder and umask. */
  Map<String, Object> request() {
    SubmittingShellEnvironment here = SubmittingShellEnvironment.of(caller());
    Map<String, Object> request = new LinkedHashMap<>();
    put(request, "name", name);
    if (shell) {
      request.put("shell", line());
    } else {
      request.put("argv", command);
    }
    Map<String, String> inherited = sweep.kept(launch.inherited(here, spec.commandLine()));
    request.put("env", ChosenVariables.over(inherited, env, gang, spec.commandLine()));
    request.put("workdir", folder());
    put(request, "project", type == null ? here.projectOf(folder()) : null);
    put(request, "umask", here.umask());
    put(request, "count", count);
    put(request, "gang", gang());
    put(request, "maxRunning", maxRunning);
    put(request, "cpus", cpus);
    put(request, "mem", mem);
    put(request, "gpus", gpus);
    put(request, "gpuMem", gpuMem);
    put(request, "gpuModel", gpuModel);
    put(request, "labels", labels.isEmpty() ? null : labels);
    put(request, "policy", policy);
    put(request, "perGpu", perGpu);
    put(request, "shareIf", shareIf);
    put(request, "exclusive", exclusive ? true : null);
    put(request, "priority", priority);
    List<String> others = placement.after(after);
    put(request, "after", others.isEmpty() ? null : others);
    put(request, "afterOneOf", afterOne.jobs(!others.isEmpty()));
    put(request, "timeLimit", timeLimit);
    put(request, "jobTimeLimit", jobTimeLimit);
    put(request, "grace", grace);
    put(request, "signal", signal);
    put(request, "retries", retries);
    put(request, "preemptible", preemptible ? true : null);
    put(request, "preemptSignal", preemptSignal);
    put(request, "onPreempt", onPreempt);
    put(request, "preemptAfter", preemptAfter);
    put(request, "maxPreemptions", maxPreemptions);
    sweep.fields().forEach(request::put);
    training.fields().forEach(request::put);
    container.fields().forEach(request::put);
    streams.fields().forEach(request::put);
    placement.fields().forEach(request::put);
    launch.fields().forEach(request::put);
    boolean chosen = request.containsKey("container") && !env.isEmpty();
    put(request, "containerEnv", chosen ? List.copyOf(env.keySet()) : null);
    put(request, "hold", hold ? true : null);
    put(request, "type", type);
    put(request, "clientKey", key);
    return request;
  }

  /** Returns only the fields that were given, of a job that is there already. */
  Map<String, Object> changes() {
    Map<String, Object> given = request();
    if (command.isEmpty()) {
      given.keySet().removeAll(List.of("argv", "shell"));
    }
    given.keySet().removeAll(List.of("umask", "project", "clientKey"));
    if (workdir == null) {
      given.remove("workdir");
    }
    if (env.isEmpty()) {
      given.remove("env");
    } else {
      given.put("env", env);
    }
    return given;
  }

  private Object gang() {
    if (gangFailure == null && !mixed) {
      return gang ? true : null;
    }
    if (!gang) {
      throw new ParameterException(
          spec.commandLine(), "--gang-failure and --mixed are of gangs: add --gang");
    }
    Map<String, Object> terms = new LinkedHashMap<>();
    put(terms, "failure", gangFailure);
    put(terms, "mixed", mixed ? true : null);
    return terms;
  }

  /** Returns the absolute path of its working folder. */
  String folder() {
    // as text: this locale may not be able to encode it
    return workdir == null ? caller().folder() : absolute(workdir, caller());
  }

  /** Returns who calls the command of these options. */
  Caller caller() {
    return Caller.of(spec);
  }

  /** Returns a path as seen from the caller's folder. */
  static String absolute(Path path, Caller caller) {
    Path whole = path.isAbsolute() ? path : Path.of(caller.folder()).resolve(path);
    return whole.normalize().toString();
  }

  static void put(Map<String, Object> request, String field, Object value) {
    if (value != null) {
      request.put(field, value);
    }
  }

  /** Submits the job and returns its number. */
  String submit(RestClient server) throws java.io.IOException {
    Map<String, Object> request = PinAndFreezeOptions.frozen(request(), true, spec.commandLine());
    return server.post("/jobs", request).path("ids").path(0).asText();
  }
}
