package io.remuda.coordinator.cli.logs;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.cli.job.PrefixedOutput;
import io.remuda.coordinator.cli.job.RetryWhileAway;
import io.remuda.coordinator.cli.job.ReturningServer;
import io.remuda.coordinator.cli.job.TaskNames;
import io.remuda.coordinator.cli.select.ChosenJob;
import io.remuda.coordinator.cli.select.JobFinder;
import io.remuda.coordinator.cli.select.NumberedTask;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.worker.job.TaskId;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/**
 * Prints the output of one task, byte for byte, or that of all tasks of a job, each line behind the
 * name of its task.
 */
@Command(
    name = "logs",
    description =
        "Prints what tasks wrote to stdout, or to stderr; of several tasks each line behind its"
            + " task.")
public final class LogsCommand extends ServerCommandBase {

  private static final long PAUSE_MILLIS = 200;
  private static final int BAD = 400;

  @Parameters(
      paramLabel = "JOB[.TASK[.ATTEMPT]]",
      description =
          "a job with all its tasks, some of them (JOB.2-4, or by array index JOB_3, JOB_[3,5-8]),"
              + " one, or an earlier attempt of it; a job is a number, its name, or last (your"
              + " newest)")
  private String target;

  @Option(names = "--task", paramLabel = "N", description = "only task N, counted from 0, as JOB.N")
  private Integer task;

  @Option(
      names = {"-f", "--follow"},
      description = "continue until the task, or the job, ends")
  private boolean follow;

  @Mixin private LogPartOptions part = new LogPartOptions();

  @ArgGroup private StreamOption stream = new StreamOption();

  /** One of the streams. */
  static final class StreamOption {
    @Option(
        names = {"--err", "--stderr"},
        description = "print stderr instead of stdout")
    private boolean err;

    @Option(
        names = {"--out", "--stdout"},
        description = "print stdout, as without it")
    private boolean out;
  }

  /** A task of a named job, and the number of an attempt. */
  private static final Pattern OF_ATTEMPT =
      Pattern.compile("(.*\\.\\d{1,7}|[1-9]\\d*_\\d{1,9})\\.(\\d{1,7})");

  private LogTarget wanted;

  /** Numbers of the tasks that are wanted of several; null for all. */
  private SortedSet<Integer> some;

  @Override
  public Integer call() throws Exception {
    part.check();
    if (json) {
      throw new ParameterException(
          spec.commandLine(),
          "logs prints what tasks wrote as it is, so it has no --json;"
              + " what is known of the tasks is in remuda show --json");
    }
    return super.call();
  }

  /** Finds the job that is meant; numbers need no request. */
  private LogTarget target(RestClient server) throws IOException {
    String numbers = target;
    if (!LogTarget.isNumbers(target)) {
      Matcher attempt = OF_ATTEMPT.matcher(target);
      boolean named = attempt.matches();
      ChosenJob chosen = chosen(server, named ? attempt.group(1) : target);
      numbers =
          chosen.id()
              + (chosen.task() == null ? "" : "." + chosen.task())
              + (named && some == null ? "." + attempt.group(2) : "");
    }
    try {
      return LogTarget.parse(numbers, task);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
    }
  }

  /** Finds the job or task; several tasks of one job are that job and {@link #some} of it. */
  private ChosenJob chosen(RestClient server, String selector) throws IOException {
    List<ChosenJob> jobs = JobFinder.look(server, List.of(selector)).jobs();
    if (jobs.size() == 1) {
      return jobs.get(0);
    }
    if (jobs.stream().map(ChosenJob::id).distinct().count() != 1) {
      throw new RestFailureException(
          BAD, "'" + selector + "' means " + jobs.size() + " jobs: logs prints one, or its tasks");
    }
    some = jobs.stream().map(ChosenJob::task).collect(Collectors.toCollection(TreeSet::new));
    return new ChosenJob(jobs.get(0).id(), null, jobs.get(0).job());
  }

  @Override
  protected int ask(RestClient server) throws IOException, InterruptedException {
    wanted = target(server);
    JsonNode job;
    try {
      job = server.get("/jobs/" + wanted.job());
    } catch (RestFailureException no) {
      ChosenJob number = new ChosenJob(Long.parseLong(wanted.job()), null, null);
      if (wanted.task() != null) {
        throw no;
      }
      ChosenJob its = NumberedTask.find(server, number, no);
      wanted = LogTarget.parse(its.id() + "." + its.task(), null);
      job = server.get("/jobs/" + wanted.job());
    }
    int tasks = job.path("tasks").asInt(1);
    String missing = wanted.missingIn(tasks);
    if (missing != null) {
      err().println("remuda: " + missing);
      return FAILURE;
    }
    PrintStream out = caller().out();
    if (wanted.task() == null && tasks > 1) {
      return all(server, job, out);
    }
    int index = wanted.task() == null ? 0 : wanted.task();
    TaskId id = TaskId.parse(wanted.job() + "." + index);
    if (follow) {
      awaitStart(server, id);
    }
    return one(server, id, out);
  }

  private int all(RestClient server, JsonNode job, PrintStream out)
      throws IOException, InterruptedException {
    PrintStream notes = stream.err ? out : caller().err();
    PrefixedOutput lines =
        new PrefixedOutput(new TaskNames(job, TaskNames.Beside.NOTHING), out, notes);
    JobLogPrinter logs =
        new JobLogPrinter(job, stream(), new JobLogPrinter.Choice(part, some), lines, err());
    if (!follow || !part.isWhole()) {
      logs.print(server);
    }
    if (follow) {
      logs.follow(new ReturningServer(server, this::server));
    } else if (!logs.isBegun() && part.isWhole()) {
      err()
          .println(
              "remuda: no task of job "
                  + wanted.job()
                  + (some == null ? "" : " that is meant")
                  + " has started");
      return FAILURE;
    }
    return logs.isGood() ? OK : FAILURE;
  }

  /** Waits until a task has a place, or until its job is over. */
  private void awaitStart(RestClient server, TaskId id) throws IOException, InterruptedException {
    RetryWhileAway retryWhileAway = new RetryWhileAway(err());
    boolean told = quiet;
    while (!retryWhileAway.ask(() -> hasStarted(server, id))) {
      if (!told) {
        err().println("remuda: task " + id + " has not started; waiting for it");
        err().flush();
        told = true;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /** Returns whether a task has a place or had one, or can no longer have one. */
  private static boolean hasStarted(RestClient server, TaskId id) throws IOException {
    JsonNode task = taskOf(server, id);
    return task.path("node").isTextual()
        || task.path("attempt").asInt() > 1
        || server.get("/jobs/" + id.job()).path("endedAt").isTextual();
  }

  private OutputStreamName stream() {
    return stream.err ? OutputStreamName.ERR : OutputStreamName.OUT;
  }

  private int one(RestClient server, TaskId id, PrintStream out)
      throws IOException, InterruptedException {
    JsonNode task = taskOf(server, id);
    if (!part.includes(task, Instant.now())) {
      if (!quiet) {
        err().println("remuda: task " + id + ChosenJob.index(task) + " ended before that time");
      }
      return OK;
    }
    RetryWhileAway retryWhileAway =
        follow ? new RetryWhileAway(err()) : RetryWhileAway.ofServer(err());
    boolean isThrough =
        follow && wanted.attempt() == 0 && !retryWhileAway.ask(() -> isOneFile(server, id));
    int attempt = isThrough ? Math.max(1, task.path("attempt").asInt()) : wanted.attempt();
    TaskAttemptsLog log = new TaskAttemptsLog(server, id, stream(), attempt, isThrough);
    long offset = retryWhileAway.ask(() -> part.start(log.log()));
    boolean ended = !follow;
    boolean over = false;
    while (!over) {
      long next = offset;
      RestClient.OutputChunk chunk = retryWhileAway.ask(() -> log.from(next));
      if (chunk == null) {
        sayLost(id, log.attempt());
        log.next();
        offset = 0;
        ended = false;
        continue;
      }
      sayDropped(chunk.dropped(), id + (stream.err ? "'s stderr" : "'s stdout"));
      out.write(chunk.bytes(), 0, chunk.bytes().length);
      out.flush();
      offset = chunk.offset() + chunk.bytes().length;
      boolean all = offset >= chunk.size();
      if (all && ended) {
        over = !log.next();
        offset = 0;
        ended = over;
        if (!over && !quiet) {
          err().println("remuda: attempt " + log.attempt() + " of task " + id + " follows");
          err().flush();
        }
      } else if (all) { // what was printed before the end is there by then
        ended = retryWhileAway.ask(log::isOver);
        if (!ended) {
          Thread.sleep(PAUSE_MILLIS);
        }
      }
    }
    if (!stream.err && !quiet) {
      TaskLog errors = new TaskLog(server::bytes, id, wanted.attempt(), OutputStreamName.ERR);
      nameErrors(id, retryWhileAway.ask(errors::size));
    }
    return OK;
  }

  /** Says where errors are, which were not printed. */
  private void nameErrors(TaskId id, long size) {
    if (size == 0) {
      return;
    }
    String attempt = wanted.attempt() == 0 ? "" : "." + wanted.attempt();
    err()
        .println(
            "remuda: "
                + (size == 1 ? "1 byte is" : size + " bytes are")
                + " on stderr: remuda logs --err "
                + id
                + attempt);
    err().flush();
  }

  /** Says that an attempt has printed more than was shown. */
  private void sayLost(TaskId id, int attempt) {
    err()
        .println(
            "remuda: what else attempt "
                + attempt
                + " of task "
                + id
                + " has printed cannot be read: its node is away or has removed it");
    err().flush();
  }

  /** Returns whether the attempts of a task print to one file of the user. */
  private boolean isOneFile(RestClient server, TaskId id) throws IOException {
    JsonNode streams = server.get("/jobs/" + id.job().value()).path("workload").path("streams");
    return streams.path("output").isTextual() || stream.err && streams.path("error").isTextual();
  }

  static JsonNode taskOf(RestClient server, TaskId id) throws IOException {
    String path = "/jobs/" + id.job().value() + "/tasks?limit=1&first=" + id.index();
    return server.get(path).path("tasks").path(0);
  }

  /**
   * Whose output is printed.
   *
   * @param task index of the task; null for all tasks of the job
   * @param attempt number of the attempt; 0 for the newest
   */
  record LogTarget(String job, Integer task, int attempt) {

    private static final Pattern FORM =
        Pattern.compile("([1-9]\\d{0,17})(?:\\.(\\d{1,7})(?:\\.(\\d{1,7}))?)?");

    /** Returns whether a text is {@code JOB[.TASK[.ATTEMPT]]}, with numbers only. */
    static boolean isNumbers(String text) {
      return FORM.matcher(text).matches();
    }

    /**
     * Reads {@code JOB[.TASK[.ATTEMPT]]}.
     *
     * @param task index of the task if it is given by itself, or null
     * @throws IllegalArgumentException if the text has another form, or both name a task
     */
    static LogTarget parse(String text, Integer task) {
      Matcher parts = FORM.matcher(text);
      if (!parts.matches()) {
        throw new IllegalArgumentException(
            "give JOB, JOB.TASK or JOB.TASK.ATTEMPT, got '" + text + "'");
      }
      if (task != null && parts.group(2) != null) {
        throw new IllegalArgumentException(
            "give the task as '" + text + "' or as --task " + task + ", not both");
      }
      if (task != null && task < 0) {
        throw new IllegalArgumentException("--task must be 0 or more, got " + task);
      }
      Integer index = parts.group(2) == null ? task : Integer.valueOf(parts.group(2));
      int attempt = parts.group(3) == null ? 0 : Integer.parseInt(parts.group(3));
      return new LogTarget(parts.group(1), index, attempt);
    }

    /** Returns why a job with so many tasks has no such task; null if it has it. */
    String missingIn(int tasks) {
      if (task == null || task < tasks) {
        return null;
      }
      return tasks == 1
          ? "job " + job + " has one task, " + job + ".0"
          : "job " + job + " has " + tasks + " tasks, " + job + ".0 to " + job + "." + (tasks - 1);
    }
  }
}
