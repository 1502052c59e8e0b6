package io.remuda.coordinator.slurm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Slurm commands that a run needs; they wait for Slurm's controller, for up to 10 s. */
final class SlurmCommands {

  private static final Pattern ADDRESS = Pattern.compile("\\bNodeAddr=(\\S+)");
  private static final Pattern KILL_WAIT = Pattern.compile("KillWait\\s*=\\s*(\\d{1,9})");
  private static final Duration USUAL_KILL_WAIT = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private SlurmCommands() {}

  /**
   * Returns the command for a step with one task on each of these nodes. A failed node or task does
   * not end the step. The step has the devices, memory and CPUs of the whole job on each node
   * ({@code --exclusive} would mean {@code --exact}: one CPU), and runs beside other steps.
   *
   * @param nodes names or Slurm's list of them
   * @param logs a file for each node: {@code %N} is its name
   */
  static List<String> srun(
      SlurmAllocation.Component component,
      String nodes,
      int count,
      String name,
      Path logs,
      List<String> more,
      List<String> task) {
    List<String> command = new ArrayList<>();
    command.add("setsid"); // at Ctrl-C in the terminal srun would end the step
    command.add("srun");
    command.add(
        component
            .group()
            .map(group -> "--het-group=" + group) // of the job in the environment
            .orElse("--jobid=" + component.job()));
    command.addAll(
        List.of(
            "--nodelist=" + nodes,
            "--nodes=" + count,
            "--ntasks=" + count,
            "--ntasks-per-node=1",
            "--job-name=" + name,
            "--overlap",
            "--kill-on-bad-exit=0",
            "--wait=0",
            "--no-kill",
            "--mpi=none",
            "--input=none",
            "--chdir=/",
            "--export=ALL",
            "--open-mode=append",
            "--output=" + logs,
            "--error=" + logs));
    command.addAll(more);
    command.addAll(task);
    return command;
  }

  /** Returns the names in a list such as {@code gpu[1-3,7]}. */
  static List<String> hostNames(String nodeList) throws IOException {
    return run(List.of("scontrol", "show", "hostnames", nodeList)).lines().toList();
  }

  /** Returns the address by which Slurm reaches a node; the node's name if Slurm reports none. */
  static String nodeAddress(String node) throws IOException {
    Matcher matcher = ADDRESS.matcher(run(List.of("scontrol", "show", "node", node)));
    return matcher.find() ? matcher.group(1) : node;
  }

  /** Returns whether a job is running; squeue lists other components of the job, too. */
  static boolean isRunning(String job) throws IOException {
    return time(job).running();
  }

  /** Returns whether a job is running, and how long. */
  static AllocationTime time(String job) throws IOException {
    List<String> look =
        List.of("squeue", "--noheader", "--jobs=" + job, "--format=" + AllocationTime.FORMAT);
    try {
      return AllocationTime.of(run(look), job);
    } catch (IOException fault) {
      if (String.valueOf(fault.getMessage()).contains("Invalid job id")) {
        return AllocationTime.OVER; // the job has ended and Slurm has removed it
      }
      throw fault;
    }
  }

  /** Returns the time from SIGTERM to SIGKILL when Slurm ends a job. */
  static Duration killWait() throws IOException {
    Matcher matcher = KILL_WAIT.matcher(run(List.of("scontrol", "show", "config")));
    return matcher.find() ? Duration.ofSeconds(Long.parseLong(matcher.group(1))) : USUAL_KILL_WAIT;
  }

  /** Returns the ids of the job's steps with this name, such as {@code 17.0}. */
  static List<String> steps(String job, String name) throws IOException {
    String all = run(List.of("squeue", "--noheader", "--steps", "--jobs=" + job, "--format=%i|%j"));
    return all.lines()
        .map(line -> line.strip().split("\\|", 2))
        .filter(step -> step.length == 2 && step[1].equals(name))
        .map(step -> step[0])
        .toList();
  }

  /** Kills every process of a step. */
  static void kill(String step) throws IOException {
    run(List.of("scancel", "--signal=KILL", step));
  }

  /** Runs a command and returns its output. */
  private static String run(List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .start();
    try {
      if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new IOException(command.get(0) + " did not answer in " + PATIENCE.toSeconds() + " s");
      }
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.exitValue() != 0) {
        throw new IOException(String.join(" ", command) + " failed: " + text.strip());
      }
      return text;
    } catch (InterruptedException stop) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted in " + command.get(0), stop);
    }
  }
}
