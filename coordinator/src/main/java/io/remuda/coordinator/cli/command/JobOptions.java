package io.remuda.coordinator.cli.command;

import io.remuda.agent.settings.Invocation;
import io.remuda.coordinator.cli.jobfile.ShellDefaults;
import io.remuda.coordinator.client.RestClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What a job is to be, from the command line, as the fields of the HTTP interface. */
final class JobOptions {

  @Option(names = "--name", paramLabel = "TEXT", description = "for people (the program's name)")
  String name;

  @Option(names = "--count", paramLabel = "N", description = "how many tasks (1)")
  Integer count;

  @Option(names = "--gang", description = "all tasks start together, and end when one fails")
  boolean gang;

  @Option(names = "--cpus", paramLabel = "C", description = "cores of each task, as 0.5 (1)")
  Double cpus;

  @Option(names = "--mem", paramLabel = "SIZE", description = "memory of each task, as 6GiB")
  String mem;

  @Option(names = "--gpus", paramLabel = "G", description = "GPUs of each task (0)")
  Integer gpus;

  @Option(
      names = "--gpu-mem",
      paramLabel = "SIZE",
      description =
          "memory of each of its GPUs, which others may share then, or auto for what jobs of its"
              + " type were measured to need; whole GPUs without it, unless the server is set"
              + " otherwise, and with whole")
  String gpuMem;

  @Option(names = "--gpu-model", paramLabel = "TEXT", description = "part of the model's name")
  String gpuModel;

  @Option(names = "--label", paramLabel = "KEY=VALUE", description = "that the node must have")
  Map<String, String> labels = new LinkedHashMap<>();

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description = "among nodes that fit: round-robin, spread, pack or best-fit (pack)")
  String policy;

  @Option(
      names = "--per-gpu",
      paramLabel = "N",
      description = "at most N tasks on each of its GPUs; without --gpu-mem each has that part")
  Integer perGpu;

  @Option(names = "--exclusive", description = "no other task on its GPUs, as --per-gpu 1")
  boolean exclusive;

  @Option(names = "--priority", paramLabel = "P", description = "higher goes first (0)")
  Integer priority;

  @Option(
      names = "--after",
      paramLabel = "JOB[:ok|any|fail]",
      description = "start when that job has ended so (ok); may be repeated")
  List<String> after = new ArrayList<>();

  @Option(names = "--time-limit", paramLabel = "D", description = "of each try, as 90s, 6h, 1d")
  String timeLimit;

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
              + " QUIT, USR1, USR2 or TERM")
  String signal;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description = "how often a task that fails or is interrupted runs again (0)")
  Integer retries;

  @Option(
      names = "--env",
      paramLabel = "KEY=VALUE",
      description = "besides this shell's environment; may be repeated")
  Map<String, String> env = new LinkedHashMap<>();

  @Option(names = "--workdir", paramLabel = "DIR", description = "working folder (this one)")
  Path workdir;

  @Option(names = "--hold", description = "wait for remuda release")
  boolean hold;

  @Option(names = "--type", paramLabel = "NAME", description = "names jobs that need alike")
  String type;

  @Option(names = "--shell", description = "the command is one line for /bin/sh")
  boolean shell;

  @Option(
      names = "--key",
      paramLabel = "TEXT",
      description = "submitting again under the same key gives the first job's number")
  String key;

  @Parameters(arity = "0..*", paramLabel = "CMD ARGS", description = "after --")
  List<String> command = new ArrayList<>();

  /** The fields that were given, with this shell's environment and folder. */
  Map<String, Object> request() {
    ShellDefaults here = ShellDefaults.current();
    Map<String, Object> request = new LinkedHashMap<>();
    put(request, "name", name);
    if (shell) {
      request.put("shell", String.join(" ", command));
    } else {
      request.put("argv", command);
    }
    Map<String, String> environment = new LinkedHashMap<>(here.environment());
    environment.putAll(env);
    request.put("env", environment);
    request.put("workdir", folder());
    put(request, "umask", here.umask());
    put(request, "count", count);
    put(request, "gang", gang ? true : null);
    put(request, "cpus", cpus);
    put(request, "mem", mem);
    put(request, "gpus", gpus);
    put(request, "gpuMem", gpuMem);
    put(request, "gpuModel", gpuModel);
    put(request, "labels", labels.isEmpty() ? null : labels);
    put(request, "policy", policy);
    put(request, "perGpu", perGpu);
    put(request, "exclusive", exclusive ? true : null);
    put(request, "priority", priority);
    put(request, "after", after.isEmpty() ? null : after);
    put(request, "timeLimit", timeLimit);
    put(request, "grace", grace);
    put(request, "signal", signal);
    put(request, "retries", retries);
    put(request, "hold", hold ? true : null);
    put(request, "type", type);
    put(request, "clientKey", key);
    return request;
  }

  private String folder() {
    if (workdir == null) {
      return Invocation.folder(); // as text: this locale may not be able to say it
    }
    boolean absolute = workdir.isAbsolute();
    Path whole = absolute ? workdir : Path.of(Invocation.folder()).resolve(workdir);
    return whole.normalize().toString();
  }

  private static void put(Map<String, Object> request, String field, Object value) {
    if (value != null) {
      request.put(field, value);
    }
  }

  /** Submits and gives the job's number. */
  String submit(RestClient server) throws java.io.IOException {
    return server.post("/jobs", request()).path("ids").path(0).asText();
  }
}
