package io.remuda.coordinator.simulate;

import io.remuda.coordinator.schedule.order.JobStanding;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** What has become of a job of a simulated schedule so far. Times are in milliseconds. */
final class JobRun {

  private final SimulatedJob job;

  /** Progress before the current start. */
  private long done;

  private boolean resumed;

  /** When it was started; -1 while it waits. */
  private long startedAt = -1;

  private final Set<String> nodes = new TreeSet<>();
  private long firstStart = -1;
  private long finishedAt = -1;

  /** Number of its starts and preemptions, so that an expected end of an earlier one is known. */
  private int version;

  /** The run time that was told of it to those who learn. */
  private long told;

  JobRun(SimulatedJob job) {
    this.job = job;
  }

  SimulatedJob job() {
    return job;
  }

  boolean runs() {
    return startedAt >= 0;
  }

  int version() {
    return version;
  }

  Set<String> nodes() {
    return nodes;
  }

  void isOn(String node) {
    nodes.add(node);
  }

  /** Begins to run; returns when it will end unless it is preempted. */
  long start(long now, PreemptionCost overheads) {
    startedAt = now;
    firstStart = firstStart < 0 ? now : firstStart;
    version++;
    return endsAt(overheads);
  }

  private long endsAt(PreemptionCost overheads) {
    return startedAt + (resumed ? overheads.restoreMillis() : 0) + job.durationMillis() - done;
  }

  /** Returns when it was started; -1 while it waits. */
  long startedAt() {
    return startedAt;
  }

  /** Returns how long it has run without what was and would be lost. */
  long ran(long now, PreemptionCost overheads) {
    long lost = resumed ? overheads.restoreMillis() : 0;
    return done + (runs() ? Math.max(0, now - startedAt - lost) : 0);
  }

  /** Returns how long it has waited in all, before and between its starts. */
  long waited(long now, PreemptionCost overheads) {
    return Math.max(0, now - job.arrivalMillis() - ran(now, overheads));
  }

  void preempt(long now, PreemptionCost overheads) {
    long lost = overheads.saveMillis() + (resumed ? overheads.restoreMillis() : 0);
    done += Math.max(0, now - startedAt - lost);
    resumed = true;
    stop();
  }

  void finish(long now) {
    done = job.durationMillis();
    finishedAt = now;
    stop();
  }

  private void stop() {
    startedAt = -1;
    version++;
    nodes.clear();
  }

  /** Returns what the policy may know of it. */
  JobStanding standing(long now, PreemptionCost overheads, KnownDurations durations) {
    OptionalLong left = OptionalLong.empty();
    if (durations == KnownDurations.KNOWN) {
      long restore = resumed ? overheads.restoreMillis() : 0;
      left =
          OptionalLong.of(runs() ? endsAt(overheads) - now : restore + job.durationMillis() - done);
    }
    long most = Math.max(told, ran(now, overheads)); // else one that has lost a little leads again
    return new JobStanding(job.gpus(), most, left);
  }

  /** Returns the run time that was told before, and notes this one. */
  long told(long ran) {
    long before = told;
    told = Math.max(told, ran);
    return before;
  }

  long firstStart() {
    return firstStart;
  }

  long finishedAt() {
    return finishedAt;
  }
}
