package io.remuda.worker.job;

import io.remuda.worker.job.sweep.Sweep;
import io.remuda.worker.job.sweep.TaskParameters;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * A job as submitted.
 *
 * @param id the job's number
 * @param uuid globally unique identifier
 * @param name name shown to users
 * @param user the user who submitted it
 * @param tied whether it ends when the contact deadline passes without its coordinator
 * @param request the resources of each task; of a job with roles, those of its first role
 * @param threads number of computing threads of a built-in worker, at least 1
 * @param terms the scheduling terms
 * @param tasks the workload of each task, by task index; at least one
 */
public record JobSpec(
    JobId id,
    UUID uuid,
    String name,
    String user,
    boolean tied,
    ResourceRequest request,
    int threads,
    JobTerms terms,
    List<Workload> tasks) {

  /** The maximum number of tasks of one job. */
  public static final int MOST_TASKS = 1_000_000;

  public JobSpec {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(uuid, "uuid");
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(terms, "terms");
    RecordChecks.atLeast("threads", 1, threads);
    if (name == null || name.isBlank()) {
      throw new IllegalArgumentException("a job needs a name");
    }
    if (user == null || user.isBlank()) {
      throw new IllegalArgumentException("a job needs a user");
    }
    if (request.gpuShare().isMeasured() && terms.type() == null) {
      throw new IllegalArgumentException("a job with gpuMem 'auto' needs a type");
    }
    tasks = kept(tasks);
    if (tasks.isEmpty()) {
      throw new IllegalArgumentException("job " + id + " has no task");
    }
    if (tasks.size() > MOST_TASKS) {
      throw new IllegalArgumentException(
          "a job has at most " + MOST_TASKS + " tasks, got " + tasks.size());
    }
  }

  /**
   * Returns an immutable copy. If all tasks are the same object, it is stored once; a job may have
   * a million tasks.
   */
  private static List<Workload> kept(List<Workload> tasks) {
    for (Workload task : tasks) {
      if (task != tasks.get(0)) {
        return List.copyOf(tasks);
      }
    }
    return tasks.isEmpty()
        ? List.of()
        : Collections.nCopies(tasks.size(), Objects.requireNonNull(tasks.get(0), "task"));
  }

  private static List<GangRoleSpec> roles(JobTerms terms) {
    return terms.gang() == null ? List.of() : terms.gang().roles();
  }

  /** Returns the resources of one of its tasks, by task index. */
  public ResourceRequest request(int task) {
    return roles(terms).isEmpty() ? request : terms.gang().part(task).role().request();
  }

  /** Returns what one of its tasks has for itself, by task index; null if all are alike. */
  public TaskParameters parameters(int task) {
    Sweep sweep = terms.array().sweep();
    return sweep == null ? null : sweep.parameters(task);
  }

  /** Returns a copy with other terms. */
  public JobSpec withTerms(JobTerms other) {
    return new JobSpec(id, uuid, name, user, tied, request, threads, other, tasks);
  }

  /** Returns a copy with another request. */
  public JobSpec withRequest(ResourceRequest other) {
    return new JobSpec(id, uuid, name, user, tied, other, threads, terms, tasks);
  }
}
