package io.remuda.coordinator.service;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.testkit.ServiceProcess;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A user submits some jobs and cancels some of them whatever happens meanwhile, and knows
 * afterwards how they must have ended. A change is acknowledged if the answer was a success; a
 * submission that was not is repeated under its key until it is.
 */
final class JobsOfRound {

  private static final int WITHIN = 600;
  private static final int CANCEL_WITHIN = 2000;
  private static final long PATIENCE = 120_000;
  private static final int LOOKS = 200;
  private static final int LOOK_MILLIS = 100;

  /** Jobs that others have submitted meanwhile are among the newest, too. */
  private static final int NEWEST = 1000;

  /**
   * Cores of a task of the array; three on a node of two leave room for two of {@link #OTHER_CPUS}.
   */
  static final double ARRAY_CPUS = 0.6;

  private static final double OTHER_CPUS = 0.1;

  /** More retries than a round has troubles. */
  private static final int MANY = 20;

  /**
   * A job.
   *
   * @param ticks how often each of its tasks sleeps
   * @param pause in seconds
   * @param code with which each ends
   * @param after the position of a job before it, or -1
   * @param when that has to have ended so: ok, any, fail
   * @param shedding what each of its tasks sheds, or nothing
   */
  private record Plan(
      int count,
      int ticks,
      double pause,
      int code,
      int retries,
      int after,
      String when,
      String shedding) {

    boolean isMet(String end) {
      return when.equals("any") || when.equals("ok") == end.equals("succeeded");
    }
  }

  /** What was asked for. */
  private static final class Asked {
    private final Plan plan;
    private final Map<String, Object> more = new LinkedHashMap<>();
    private Map<String, Object> fields;
    private long id;
    private boolean refused;
    private boolean cancelTried;
    private Instant cancelled;

    private Asked(Plan plan) {
      this.plan = plan;
    }
  }

  private final ServiceProcess service;
  private final String name;
  private final SplittableRandom random;
  private final long from;
  private final List<Asked> jobs = new ArrayList<>();
  private final Timeline timeline = new Timeline();
  private final Map<Long, String> ends = new LinkedHashMap<>();
  private final Map<String, Integer> tasksByEnd = new TreeMap<>();
  private int executions;
  private int repeated;
  private final SeenArray array = new SeenArray();
  private int looks;

  /**
   * A round's jobs.
   *
   * @param name of the round, which no other has in this service
   * @param far name of the node that can be cut off
   */
  JobsOfRound(ServiceProcess service, String name, SplittableRandom random, String far) {
    this(service, name, random, far, 0);
  }

  /** A round's jobs from so many milliseconds on. */
  JobsOfRound(ServiceProcess service, String name, SplittableRandom random, String far, long from) {
    this.service = service;
    this.from = from;
    this.name = name;
    this.random = random;
    Asked array =
        add(
            new Plan(
                30 + below(80), 1, 0.01 + 0.001 * below(30), 0, retries(), -1, "", shedding()));
    array.more.putAll(Map.of("cpus", ARRAY_CPUS, "policy", "spread"));
    Asked lasting =
        add(new Plan(1 + below(3), 3 + below(20), 0.1, 0, retries(), -1, "", shedding()));
    lasting.more.put("policy", "spread");
    Asked there = add(new Plan(1 + below(2), 3 + below(15), 0.1, 0, retries(), -1, "", shedding()));
    there.more.put("labels", Map.of("node", far));
    int code = 1 + below(99);
    Asked failing =
        add(new Plan(1 + below(2), 1 + below(5), 0.1, code, below(3), -1, "", shedding()));
    failing.more.put("policy", "spread");
    String when = List.of("ok", "any", "fail").get(below(3));
    add(new Plan(2, 1 + below(3), 0.05, 0, retries(), below(4), when, shedding()));
  }

  /** A way to shed the marks in half of the cases. */
  private String shedding() {
    int how = below(2 * TaskLines.HOWS.size());
    return how < TaskLines.HOWS.size() ? TaskLines.HOWS.get(how) : "";
  }

  private int below(int bound) {
    return random.nextInt(bound);
  }

  private int retries() {
    return MANY * below(2);
  }

  private Asked add(Plan plan) {
    Asked job = new Asked(plan);
    job.more.put("cpus", OTHER_CPUS);
    int position = jobs.size();
    jobs.add(job);
    long cancelAfter = below(5) == 0 ? below(CANCEL_WITHIN) : -1;
    timeline.at(
        from + (position + 1L) * below(WITHIN) / 5,
        () -> {
          submit(job, position);
          if (position == 0) {
            lookAtArray();
          }
          if (cancelAfter >= 0) {
            timeline.in(cancelAfter, () -> cancel(job));
          }
        });
    return job;
  }

  /** Submits and cancels all; returns when each was acknowledged or refused. */
  void run() throws Exception {
    timeline.run();
  }

  /** Submits again, under their keys, what was acknowledged: it is accepted as the same jobs. */
  List<String> submitAgain() throws IOException {
    List<String> faults = new ArrayList<>();
    for (Asked job : jobs) {
      if (job.id != 0) {
        long again = service.client().post("/jobs", job.fields).path("ids").path(0).asLong();
        if (again != job.id) {
          faults.add("job " + job.id + " was submitted again under its key and is " + again);
        }
      }
    }
    return faults;
  }

  private void submit(Asked job, int position) throws Exception {
    Plan plan = job.plan;
    if (plan.after() >= 0) {
      Asked before = jobs.get(plan.after());
      if (before.id == 0) {
        timeline.in(50, () -> submit(job, position));
        return;
      }
      job.more.put("after", List.of(before.id + ":" + plan.when()));
    }
    Map<String, Object> fields =
        service.job(
            "exec "
                + (plan.shedding().isEmpty()
                    ? TaskLines.COMMAND
                    : TaskLines.SHEDDING_COMMAND + plan.shedding() + " ")
                + plan.ticks()
                + String.format(Locale.ROOT, " %.3f ", plan.pause())
                + plan.code());
    fields.put("name", name + "-" + position);
    fields.put("clientKey", name + "-" + position);
    fields.put("count", plan.count());
    fields.put("retries", plan.retries());
    fields.putAll(job.more);
    job.fields = fields;
    long deadline = timeline.millis() + PATIENCE;
    while (job.id == 0 && !job.refused) {
      post(job, fields);
      if (timeline.millis() > deadline) {
        throw new AssertionError("not accepted for " + PATIENCE + " ms: " + fields);
      }
    }
  }

  private void post(Asked job, Map<String, Object> fields) throws InterruptedException {
    try {
      job.id = service.client().post("/jobs", fields).path("ids").path(0).asLong();
    } catch (IOException fault) {
      if (isRefusal(fault) && job.plan.after() < 0) {
        throw new AssertionError("refused " + fields + ": " + fault.getMessage(), fault);
      }
      job.refused = isRefusal(fault); // what it is to follow has failed meanwhile
      repeated++;
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private static boolean isRefusal(IOException fault) {
    return fault instanceof RestFailureException no
        && no.status() != RestFailureException.NO_SERVER
        && no.status() < 500;
  }

  private void cancel(Asked job) {
    if (job.id != 0) {
      job.cancelTried = true;
      try {
        service.client().post("/jobs/" + job.id + "/cancel", null);
        job.cancelled = Instant.now();
      } catch (IOException overOrAway) {
        // then it was not acknowledged
      }
    }
  }

  /** Looks until the array is over: a busy machine may have begun none of it in a second. */
  private void lookAtArray() {
    boolean over = ++looks == LOOKS;
    try {
      over |= array.seen(tasks(jobs.get(0).id));
    } catch (IOException away) {
      // the server is away
    }
    if (!over) {
      timeline.in(LOOK_MILLIS, this::lookAtArray);
    }
  }

  private JsonNode tasks(long id) throws IOException {
    return service.client().get("/jobs/" + id + "/tasks").path("tasks");
  }

  /** What was seen of the array. */
  SeenArray array() {
    return array;
  }

  /** The number of tasks of all accepted jobs. */
  int tasks() {
    return jobs.stream().filter(job -> job.id != 0).mapToInt(job -> job.plan.count()).sum();
  }

  /** How many jobs were cancelled, as far as that was acknowledged. */
  int cancelled() {
    return (int) jobs.stream().filter(job -> job.cancelled != null).count();
  }

  /** How many submissions were acknowledged. */
  int accepted() {
    return (int) jobs.stream().filter(job -> job.id != 0).count();
  }

  /** How many answers to a submission never came, so that it was repeated. */
  int repeated() {
    return repeated;
  }

  /** Tasks by the state in which they ended; after {@link #faults}. */
  Map<String, Integer> tasksByEnd() {
    return Map.copyOf(tasksByEnd);
  }

  /** How often a task began, by what they say themselves; after {@link #faults}. */
  int executions() {
    return executions;
  }

  /** What the service has said of each job's end, and must still say when it is asked again. */
  Map<Long, String> ends() {
    return Map.copyOf(ends);
  }

  /**
   * What is not as it must be, once all jobs are over.
   *
   * @param struck what was done meanwhile that may show
   */
  List<String> faults(Struck struck) throws IOException {
    List<String> faults = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (JsonNode job : service.client().get("/jobs?all&limit=" + NEWEST).path("jobs")) {
      if (!names.add(job.path("name").asText())) {
        faults.add("submitted once and accepted twice: " + job);
      }
      if (job.path("name").asText().startsWith(name + "-")) {
        ends.put(job.path("id").asLong(), job.path("state").asText());
      }
    }
    for (Asked job : jobs) {
      if (job.refused && mayRun(job)) {
        faults.add("refused: " + job.plan);
      }
      for (String fault : job.id == 0 ? List.<String>of() : faults(job, struck)) {
        faults.add(fault + " (" + job.plan + ")");
      }
    }
    return faults;
  }

  private List<String> faults(Asked job, Struck struck) throws IOException {
    List<String> faults = new ArrayList<>();
    String end = ends.get(job.id);
    if (end == null) {
      return List.of("job " + job.id + " was accepted and is not known");
    }
    JsonNode tasks = tasks(job.id);
    if (tasks.size() != job.plan.count()) {
      faults.add("job " + job.id + " has " + tasks.size() + " tasks");
    }
    Set<String> states = new HashSet<>();
    for (JsonNode task : tasks) {
      states.add(task.path("state").asText());
      tasksByEnd.merge(task.path("state").asText(), 1, Integer::sum);
      TaskLines lines = TaskLines.read(service.home().getParent(), task.path("id").asText());
      executions += lines.attempts();
      faults.addAll(lines.faults());
      if (!isRight(job, task, lines, struck)) {
        faults.add("wrong: " + task + " of " + lines);
      }
      String began = task.path("startedAt").asText("null"); // one on its way may run
      if (job.cancelled != null
          && !began.equals("null")
          && !task.path("state").asText().equals("cancelled")) {
        Instant latest = struck.latestBegin(job.cancelled, task.path("node").asText());
        boolean late = Instant.parse(began).isAfter(latest);
        faults.addAll(late ? List.of(task + " began after its job was cancelled") : List.of());
      }
      if (lines.attempts() > job.plan.retries() + 1) {
        faults.add(lines.task() + " ran " + lines.attempts() + " times");
      }
    }
    if (!states.contains(end)) {
      faults.add("job " + job.id + " " + end + ", its tasks " + states);
    }
    return faults;
  }

  private boolean isRight(Asked job, JsonNode task, TaskLines lines, Struck struck) {
    Plan plan = job.plan;
    int attempt = task.path("attempt").asInt();
    boolean done = lines.hasEnded(attempt) && task.path("exitCode").asInt(-1) == plan.code();
    boolean killed = task.path("signal").asInt() == 9 && struck.tasks().contains(lines.task());
    boolean keeperHit = struck.met(task, hit -> true);
    int signal = task.path("signal").asInt();
    boolean told = Set.of(9, 15).contains(signal) && struck.met(task, Struck.KeeperHit::told);
    boolean triedOften =
        lines.attempts() == plan.retries() + 1
            || !struck.keepers().isEmpty()
            || killed
            || job.cancelTried;
    boolean may = mayRun(job);
    return switch (task.path("state").asText()) {
      case "succeeded" -> may && done && plan.code() == 0;
      case "failed" -> may && (done && plan.code() != 0 || killed || told) && triedOften;
      case "cancelled" -> job.cancelTried || (!may && !lines.hasRun());
      case "lost" -> may && keeperHit && plan.retries() < MANY;
      default -> false;
    };
  }

  private boolean mayRun(Asked job) {
    int after = job.plan.after();
    return after < 0 || job.plan.isMet(ends.get(jobs.get(after).id));
  }
}
