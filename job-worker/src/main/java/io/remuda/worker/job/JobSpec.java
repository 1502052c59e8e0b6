package io.remuda.worker.job;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * A job as it was asked for.
 *
 * @param id its number
 * @param uuid unique everywhere
 * @param name for people
 * @param user who asked for it
 * @param tied whether it ends when its coordinator has been gone for the lease's length
 * @param request what each of its tasks needs
 * @param threads that a built-in worker computes with, at least 1
 * @param terms how it is to be treated
 * @param tasks what each task does, by task index; at least one
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

  /** The most tasks of one job. */
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
    if (request.isAuto() && terms.type() == null) {
      throw new IllegalArgumentException("what is to be measured needs a type");
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

  /** A copy; what a million tasks do alike is kept once. */
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

  /** The same job with other needs. */
  public JobSpec withRequest(ResourceRequest other) {
    return new JobSpec(id, uuid, name, user, tied, other, threads, terms, tasks);
  }
}
