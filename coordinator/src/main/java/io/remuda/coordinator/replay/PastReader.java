package io.remuda.coordinator.replay;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.drawing.request.RecentJobs;
import io.remuda.coordinator.drawing.request.ServerAnswers;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.schedule.model.UserLimits;
import io.remuda.coordinator.schedule.order.OrderPolicies;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the past of a cluster from what its server answers. */
public final class PastReader {

  /** The newest jobs that are read. */
  private static final int MOST_JOBS = 10_000;

  /** Tasks that are read, of the newest jobs first. */
  private static final int MOST_TASKS = 200_000;

  private static final int FORBIDDEN = 403;
  private static final double MILLI = 1000;

  /** Hears how far the reading is. */
  @FunctionalInterface
  public interface Progress {
    /** So many jobs of all were read. */
    void at(long done, long all);
  }

  private final ServerAnswers server;
  private final long from;
  private final long to;
  private final List<String> unknown = new ArrayList<>();
  private final Map<String, Double> shares = new HashMap<>();
  private final Map<String, UserLimits> limits = new HashMap<>();
  private int waiting;
  private int mixed;
  private int taskByTask;
  private int oneOf;

  /**
   * @param from in milliseconds since 1970
   * @param to the present, likewise
   */
  public PastReader(ServerAnswers server, long from, long to) {
    this.server = server;
    this.from = from;
    this.to = to;
  }

  /**
   * Reads it.
   *
   * @param progress hears of each job
   */
  public Past read(Progress progress) throws IOException {
    JsonNode nodes = server.get("/nodes");
    users();
    RecentJobs recent = RecentJobs.of(server, from / (long) MILLI, MOST_JOBS);
    PastTaskReader reader = new PastTaskReader(server, to);
    List<PastJob> jobs = new ArrayList<>();
    int tasks = 0;
    long done = 0;
    boolean cut = recent.more();
    for (JsonNode listed : recent.jobs()) { // the newest first
      if (tasks >= MOST_TASKS) {
        cut = true;
        break;
      }
      if (listed.path("startedAt").isTextual()) {
        PastJob job = job(server.get("/jobs/" + listed.path("id").asLong()), reader);
        tasks += job.tasks().size();
        if (!job.tasks().isEmpty()) {
          jobs.add(job);
        }
      } else {
        waiting += listed.path("endedAt").isTextual() ? 0 : 1;
      }
      progress.at(++done, recent.jobs().size());
    }
    Collections.reverse(jobs);
    tell(cut, jobs.size());
    long begin = jobs.stream().mapToLong(PastJob::submittedMillis).min().orElse(from);
    return new Past(
        Math.min(to, Math.max(from, begin)),
        to,
        jobs,
        ReplayNodes.of(nodes),
        rules(nodes),
        shares,
        limits,
        unknown);
  }

  /** Returns a job; without tasks if it is left out. */
  private PastJob job(JsonNode details, PastTaskReader reader) throws IOException {
    JobSpec spec = PastJobReader.spec(details);
    List<PastTask> tasks = new ArrayList<>();
    for (PastTask task : reader.of(details, spec.request().gpus())) {
      if (task.endedMillis() > from) {
        tasks.add(task);
      }
    }
    boolean roles = spec.terms().gang() != null && !spec.terms().gang().roles().isEmpty();
    if (roles && tasks.size() < spec.tasks().size()) {
      mixed++;
      tasks.clear();
    }
    long limit = spec.terms().timeLimitMillis();
    if (tasks.stream()
        .anyMatch(task -> task.ranMillis() > limit)) { // with all its tries, it may be
      spec = spec.withTerms(spec.terms().with(all -> all.timeLimitMillis = 0));
    }
    JsonNode terms = details.path("terms");
    Set<Long> after = new HashSet<>();
    for (JsonNode one : terms.path("after")) {
      JobDependency dependency = JobDependency.parse(one.asText());
      after.add(dependency.job().value());
      taskByTask += dependency.isTaskByTask() ? 1 : 0;
    }
    oneOf += terms.path("afterOneOf").isEmpty() ? 0 : 1;
    Long submitted = PastTaskReader.millis(details.path("submittedAt"));
    Long begin = PastTaskReader.millis(terms.path("begin"));
    return new PastJob(
        spec,
        Math.max(submitted == null ? from : submitted, begin == null ? 0 : begin),
        terms.path("training").isObject(),
        after,
        tasks);
  }

  private void tell(boolean cut, int read) {
    if (cut) {
      unknown.add("Only the newest " + read + " jobs are here: older ones are missing.");
    }
    if (waiting > 0) {
      unknown.add(waiting + " jobs that have not started yet are left out.");
    }
    if (mixed > 0) {
      unknown.add(mixed + " jobs with roles of which not all tasks ran are left out.");
    }
    if (taskByTask > 0) {
      unknown.add(
          taskByTask + " jobs that followed others task by task count as if after all of these.");
    }
    if (oneOf > 0) {
      unknown.add(oneOf + " jobs that followed one of several count from their submission.");
    }
  }

  /** Reads shares and limits, which are told to the owner of the server. */
  private void users() throws IOException {
    JsonNode answer;
    try {
      answer = server.get("/users");
    } catch (RestFailureException refused) {
      if (refused.status() != FORBIDDEN) {
        throw refused;
      }
      unknown.add("Shares and limits of users are told to the owner alone: all count alike.");
      return;
    }
    limits.put(UserLimits.ALL_USERS, limits(answer.path("limits")));
    for (JsonNode user : answer.path("users")) {
      shares.put(user.path("name").asText(), user.path("share").asDouble(1));
      limits.put(user.path("name").asText(), limits(user.path("limits")));
    }
  }

  private static UserLimits limits(JsonNode limits) {
    JsonNode cpus = limits.path("cpus");
    Long milli = null;
    if (cpus.isNumber()) {
      milli = cpus.asDouble() < 0 ? UserLimits.NONE : Math.round(cpus.asDouble() * MILLI);
    }
    return new UserLimits(
        limits.path("gpus").isNumber() ? limits.path("gpus").asLong() : null,
        milli,
        limits.path("running").isNumber() ? limits.path("running").asLong() : null,
        null);
  }

  /** Returns how the server decides; an earlier build does not tell, and then by default. */
  private SchedulingSettings rules(JsonNode nodes) {
    JsonNode told = nodes.path("scheduling");
    if (!told.isObject()) {
      unknown.add("The server does not tell its settings: the defaults are taken.");
    }
    Map<String, Long> counted = new HashMap<>();
    nodes
        .path("resources")
        .fields()
        .forEachRemaining(one -> counted.put(one.getKey(), one.getValue().path("total").asLong()));
    counted.values().removeIf(total -> total < 1);
    return new SchedulingSettings(
        Duration.ofMillis(told.path("reserveAfterMillis").asLong(60_000)),
        Duration.ofMillis(told.path("useHalfLifeMillis").asLong(Duration.ofDays(1).toMillis())),
        Duration.ZERO,
        Duration.ZERO,
        value(SchedulingSettings.Claims.class, told, "preemptFor"),
        value(SchedulingSettings.FirstRun.class, told, "firstRun"),
        counted,
        value(OrderPolicies.class, told, "order"),
        tests(told.path("tests")));
  }

  private static SchedulingSettings.TestBounds tests(JsonNode told) {
    SchedulingSettings.TestBounds usual = SchedulingSettings.TestBounds.USUAL;
    return new SchedulingSettings.TestBounds(
        Duration.ofMillis(told.path("timeLimitMillis").asLong(usual.timeLimit().toMillis())),
        told.path("gpus").asInt(usual.gpus()),
        told.path("running").asInt(usual.running()));
  }

  /** Returns a setting; what is not known is the default, which is the first but for the order. */
  private static <T extends Enum<T>> T value(Class<T> type, JsonNode told, String field) {
    for (T one : type.getEnumConstants()) {
      if (one.name().equalsIgnoreCase(told.path(field).asText())) {
        return one;
      }
    }
    return Enum.valueOf(
        type, type == OrderPolicies.class ? "FAIR" : type.getEnumConstants()[0].name());
  }
}
