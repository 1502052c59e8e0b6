package io.remuda.coordinator.store;

import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.util.HashMap;
import java.util.Map;

/** The sums that the rows of live jobs and tasks have in the file. One thread. */
final class LiveSums {

  private final Map<JobId, Long> jobs = new HashMap<>();
  private final Map<TaskId, Long> tasks = new HashMap<>();

  /** The sum of a job's row; 0 if there is none. */
  long of(JobId job) {
    return jobs.getOrDefault(job, 0L);
  }

  /** The sum of a task's row; 0 if there is none. */
  long of(TaskId task) {
    return tasks.getOrDefault(task, 0L);
  }

  void put(JobId job, long sum) {
    jobs.put(job, sum);
  }

  void put(TaskId task, long sum) {
    tasks.put(task, sum);
  }

  /** Takes over those that others have. */
  void putAll(LiveSums others) {
    jobs.putAll(others.jobs);
    tasks.putAll(others.tasks);
  }

  boolean has(JobId job) {
    return jobs.containsKey(job);
  }

  boolean has(TaskId task) {
    return tasks.containsKey(task);
  }

  /** Rows of what is over are written no more. */
  void remove(JobId job) {
    jobs.remove(job);
  }

  /** Rows of what is over are written no more. */
  void remove(TaskId task) {
    tasks.remove(task);
  }
}
