package io.remuda.coordinator.registry.load;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.JobId;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Counts the tasks that wait and those that have a place, in all and by user. It is told of each
 * change, so that nobody has to go through all jobs. Single-threaded.
 */
public final class QueueLoad {

  /**
   * Tasks of a user.
   *
   * @param waiting without a place that have not ended
   * @param running with a place
   */
  public record Share(int waiting, int running) {}

  private static final class OfUser {
    private int jobs;
    private int waiting;
    private int running;
  }

  private final Map<String, OfUser> users = new HashMap<>();
  private final NavigableMap<JobId, Integer> jobs = new TreeMap<>();
  private int waiting;
  private int running;

  /** A job is live; its tasks are in these states. */
  public void came(String user, JobId job, Map<TaskState, Integer> tasks) {
    users.computeIfAbsent(user, none -> new OfUser()).jobs++;
    tasks.forEach((state, number) -> add(user, job, state, number));
  }

  /** A job is no longer live. */
  public void left(String user, JobId job, Map<TaskState, Integer> tasks) {
    tasks.forEach((state, number) -> add(user, job, state, -number));
    OfUser its = users.get(user);
    its.jobs--;
    if (its.jobs == 0) {
      users.remove(user);
    }
  }

  /** Moves tasks of a live job from one state to another. */
  public void moved(String user, JobId job, TaskState from, TaskState to, int number) {
    if (waits(from) != waits(to) || from.holdsPlace() != to.holdsPlace()) {
      add(user, job, from, -number);
      add(user, job, to, number);
    }
  }

  private void add(String user, JobId job, TaskState state, int number) {
    OfUser its = users.get(user);
    if (state.holdsPlace()) {
      its.running += number;
      running += number;
    } else if (waits(state) && number != 0) {
      its.waiting += number;
      waiting += number;
      jobs.merge(job, number, (before, more) -> before + more == 0 ? null : before + more);
    }
  }

  private static boolean waits(TaskState state) {
    return !state.holdsPlace() && !state.isFinal();
  }

  /** Returns the tasks without a place that have not ended. */
  public int waiting() {
    return waiting;
  }

  /** Returns the tasks with a place. */
  public int running() {
    return running;
  }

  /** Returns what each user with live jobs has. */
  public Map<String, Share> users() {
    Map<String, Share> shares = new HashMap<>();
    users.forEach((user, its) -> shares.put(user, new Share(its.waiting, its.running)));
    return shares;
  }

  /** Returns a view of the jobs with waiting tasks, in their order, with the number of these. */
  public NavigableMap<JobId, Integer> jobs() {
    return Collections.unmodifiableNavigableMap(jobs);
  }
}
