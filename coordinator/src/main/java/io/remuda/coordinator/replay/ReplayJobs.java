package io.remuda.coordinator.replay;

import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.PlacementPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The jobs of a replay, with numbers of their own. A job of which some tasks ran at the beginning
 * is two of them, since those tasks are there already.
 */
final class ReplayJobs {

  /** A job, or a part of one. */
  static final class Job {
    private final JobSpec spec;
    private final PastJob job;
    private final long arrivesMillis;
    private final boolean there;
    private final Set<Long> after;
    private long readyAt = -1;

    private Job(JobSpec spec, PastJob job, long arrivesMillis, boolean there, Set<Long> after) {
      this.spec = spec;
      this.job = job;
      this.arrivesMillis = arrivesMillis;
      this.there = there;
      this.after = after;
    }

    long id() {
      return spec.id().value();
    }

    JobSpec spec() {
      return spec;
    }

    List<PastTask> tasks() {
      return job.tasks();
    }

    /** Returns when it is submitted, in milliseconds since 1970. */
    long arrivesMillis() {
      return arrivesMillis;
    }

    /** Returns whether its tasks ran at the beginning. */
    boolean wasThere() {
      return there;
    }

    /** Returns the numbers of the jobs of the replay that end before it. */
    Set<Long> after() {
      return after;
    }

    boolean keepsWork() {
      return job.training();
    }

    /** Returns for how long a task runs, of one that was there from the beginning on. */
    long leftMillis(int task) {
      PastTask one = job.tasks().get(task);
      return there ? Math.min(one.ranMillis(), one.endedMillis() - arrivesMillis) : one.ranMillis();
    }

    /** Notes that its tasks may start from now on. */
    void readyAt(long millis) {
      readyAt = readyAt < 0 ? millis : readyAt;
    }

    /** Returns since when its tasks may start. */
    long readyAt() {
      return readyAt;
    }
  }

  private final List<Job> jobs = new ArrayList<>();
  private int leftOut;

  private ReplayJobs() {}

  /**
   * Returns the jobs of a past, without those that fit nowhere.
   *
   * @param policy of all of them; null for that which each asked for
   */
  static ReplayJobs of(Past past, PlacementPolicy policy, FitTrial trial) {
    ReplayJobs all = new ReplayJobs();
    Map<Long, Set<Long>> parts = new HashMap<>();
    Map<Long, Long> arrivals = new HashMap<>();
    for (PastJob job : past.jobs()) {
      List<PastTask> there = new ArrayList<>();
      List<PastTask> later = new ArrayList<>();
      job.tasks().forEach(task -> (task.runsAt(past.fromMillis()) ? there : later).add(task));
      Set<Long> after = new HashSet<>();
      long arrives = Math.max(past.fromMillis(), job.submittedMillis());
      for (long before : job.after()) {
        after.addAll(parts.getOrDefault(before, Set.of()));
        arrives = Math.max(arrives, arrivals.getOrDefault(before, 0L));
      }
      Set<Long> own = new HashSet<>();
      if (!there.isEmpty()) {
        long first = past.fromMillis() - 1; // before those that wait at the beginning
        all.add(job.withTasks(there), policy, first, true, Set.of(), trial, own);
      }
      if (!later.isEmpty()) {
        all.add(job.withTasks(later), policy, arrives, false, after, trial, own);
      }
      parts.put(job.spec().id().value(), own);
      arrivals.put(job.spec().id().value(), arrives);
    }
    return all;
  }

  private void add(
      PastJob job,
      PlacementPolicy policy,
      long arrives,
      boolean there,
      Set<Long> after,
      FitTrial trial,
      Set<Long> own) {
    JobSpec past = job.spec();
    JobSpec spec =
        new JobSpec(
            new JobId(jobs.size() + 1L),
            past.uuid(),
            past.name(),
            past.user(),
            false,
            past.request(),
            1,
            policy == null ? past.terms() : past.terms().withPolicy(policy),
            Collections.nCopies(job.tasks().size(), past.tasks().get(0)));
    boolean roles = past.terms().gang() != null && !past.terms().gang().roles().isEmpty();
    if (roles && job.tasks().size() < past.tasks().size() || !trial.fits(spec)) {
      leftOut += job.tasks().size();
      return;
    }
    jobs.add(new Job(spec, job, arrives, there, after));
    own.add(spec.id().value());
  }

  /** Returns them by number. */
  List<Job> all() {
    return jobs;
  }

  Job get(long id) {
    return jobs.get((int) id - 1);
  }

  /** Returns the number of tasks that are left out, since they fit nowhere. */
  int leftOut() {
    return leftOut;
  }

  /** Returns whether tasks of any of them may be asked to leave. */
  boolean anyMayLeave() {
    return jobs.stream().anyMatch(job -> job.spec().terms().preemption() != null);
  }
}
