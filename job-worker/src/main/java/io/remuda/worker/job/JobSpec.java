package io.remuda.worker.job;

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
 * @param tasks what each task does, by task index; at least one
 */
public record JobSpec(
    JobId id,
    UUID uuid,
    String name,
    String user,
    boolean tied,
    ResourceRequest request,
    List<Workload> tasks) {

  public JobSpec {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(uuid, "uuid");
    Objects.requireNonNull(request, "request");
    if (name == null || name.isBlank()) {
      throw new IllegalArgumentException("a job needs a name");
    }
    if (user == null || user.isBlank()) {
      throw new IllegalArgumentException("a job needs a user");
    }
    tasks = List.copyOf(tasks);
    if (tasks.isEmpty()) {
      throw new IllegalArgumentException("job " + id + " has no task");
    }
  }
}
