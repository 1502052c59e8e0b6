package io.remuda.coordinator.job;

import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.registry.policy.LiveJobLimits;
import io.remuda.coordinator.registry.policy.ServerMemoryEstimate;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Counts the tasks and bytes of live jobs, for each user and in total, and checks submissions
 * against the limits. Thousands of jobs may come from one shell: equal environments are kept once
 * and count once, for the user of the first job that has it. Single-threaded.
 */
public final class LiveJobLimiter {

  private static final String MAKE_ROOM =
      "cancel jobs, or wait until some are over; the owner of the server can raise"
          + " remuda.coordinator.limits.";

  private static final long MIB = 1 << 20;

  /** An environment that one or more live jobs use. */
  private static final class SharedEnvironment {
    private final Map<String, String> environment;
    private final String user;
    private final long bytes;
    private int jobs;

    private SharedEnvironment(Map<String, String> environment, String user) {
      this.environment = environment;
      this.user = user;
      this.bytes = ServerMemoryEstimate.texts(environment);
    }
  }

  /** A number of tasks and of bytes. */
  private static final class Load {
    private static final Load NOTHING = new Load();
    private long tasks;
    private long bytes;
  }

  private final LiveJobLimits limits;
  private final Load all = new Load();
  private final Map<String, Load> byUser = new HashMap<>();
  private final Map<JobId, Long> bytes = new HashMap<>();
  private final Map<String, Set<JobId>> jobs = new HashMap<>();
  private final Map<Map<String, String>, SharedEnvironment> environments = new HashMap<>();

  public LiveJobLimiter(LiveJobLimits limits) {
    this.limits = limits;
  }

  /** Returns the job with the environment object of an earlier job that has an equal one. */
  NewJob shared(NewJob job) {
    if (!(job.workload() instanceof CommandWorkload command)) {
      return job;
    }
    SharedEnvironment known = environments.get(command.environment());
    return known == null || known.environment == command.environment()
        ? job
        : job.doing(command.in(known.environment));
  }

  /** Counts a job that is live from now on. */
  public void add(JobSpec job) {
    long own = ServerMemoryEstimate.job(job);
    bytes.put(job.id(), own);
    jobs.computeIfAbsent(job.user(), user -> new HashSet<>()).add(job.id());
    use(job.user(), job.tasks().size(), own);
    if (job.tasks().get(0) instanceof CommandWorkload command) {
      SharedEnvironment shared =
          environments.computeIfAbsent(
              command.environment(), environment -> new SharedEnvironment(environment, job.user()));
      if (shared.jobs++ == 0) {
        use(shared.user, 0, shared.bytes);
      }
    }
  }

  /** Removes an ended job from the counts. */
  void remove(JobSpec job) {
    Long own = bytes.remove(job.id());
    if (own == null) {
      return;
    }
    use(job.user(), -job.tasks().size(), -own);
    jobs.computeIfPresent(
        job.user(), (user, ids) -> ids.remove(job.id()) && ids.isEmpty() ? null : ids);
    if (job.tasks().get(0) instanceof CommandWorkload command) {
      SharedEnvironment shared = environments.get(command.environment());
      if (--shared.jobs == 0) {
        environments.remove(command.environment());
        use(shared.user, 0, -shared.bytes);
      }
    }
  }

  /** Returns the live jobs of a user, unmodifiable. */
  Set<JobId> jobsOf(String user) {
    return Collections.unmodifiableSet(jobs.getOrDefault(user, Set.of()));
  }

  private void use(String user, long tasks, long more) {
    Load own = byUser.computeIfAbsent(user, name -> new Load());
    own.tasks += tasks;
    own.bytes += more;
    all.tasks += tasks;
    all.bytes += more;
    if (own.tasks == 0 && own.bytes == 0) {
      byUser.remove(user);
    }
  }

  /** Returns which limit these jobs of one user would exceed, or empty if none. */
  Optional<Rejection> refusal(List<NewJob> jobs) {
    if (jobs.isEmpty()) {
      return Optional.empty();
    }
    long tasks = 0;
    long more = 0;
    Map<Map<String, String>, Boolean> seen = new IdentityHashMap<>();
    for (NewJob job : jobs) {
      tasks += job.tasks().size();
      more += ServerMemoryEstimate.JOB + ServerMemoryEstimate.TASK * job.tasks().size();
      more +=
          ServerMemoryEstimate.workload(job.workload()) + ServerMemoryEstimate.sweep(job.terms());
      if (job.workload() instanceof CommandWorkload command
          && !environments.containsKey(command.environment())
          && seen.put(command.environment(), true) == null) {
        more += ServerMemoryEstimate.texts(command.environment());
      }
    }
    Load own = byUser.getOrDefault(jobs.get(0).user(), Load.NOTHING);
    if (own.tasks + tasks > limits.tasksOfUser()) {
      return tooMany(
          "your jobs", "tasks", own.tasks + tasks, limits.tasksOfUser(), "tasks-per-user");
    }
    if (all.tasks + tasks > limits.tasks()) {
      return tooMany("all users' jobs", "tasks", all.tasks + tasks, limits.tasks(), "tasks");
    }
    if (own.bytes + more > limits.bytesOfUser()) {
      return tooMuch("your jobs", own.bytes + more, limits.bytesOfUser(), "memory-per-user");
    }
    return all.bytes + more > limits.bytes()
        ? tooMuch("all users' jobs", all.bytes + more, limits.bytes(), "memory")
        : Optional.empty();
  }

  private static Optional<Rejection> tooMuch(String whose, long with, long limit, String setting) {
    return tooMany(
        whose,
        "MiB of the server's memory",
        (with + MIB - 1) / MIB,
        limit / MIB,
        setting + ", or start it with more memory (REMUDA_SERVER_MEMORY=1g remuda serve)");
  }

  private static Optional<Rejection> tooMany(
      String whose, String what, long with, long limit, String setting) {
    String message =
        "with this, %s that have not ended would have %d %s; at most %d are accepted"
            .formatted(whose, with, what, limit);
    return Optional.of(new Rejection(Rejection.Code.TOO_MANY, message, MAKE_ROOM + setting));
  }
}
