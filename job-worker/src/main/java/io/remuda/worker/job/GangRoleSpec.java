package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Objects;

/**
 * One kind of members of a job, such as its master or its workers. Its tasks follow each other: the
 * completions of its first replica, those of its second, and so on.
 *
 * @param name unique in its job, 1 to {@value #MOST_NAME} characters
 * @param count number of replicas, at least 1
 * @param completions number of tasks of each replica, at least 1
 * @param parallelism how many tasks of one replica run at once at most; 0 for all
 * @param request the resources of each task
 */
public record GangRoleSpec(
    String name, int count, int completions, int parallelism, ResourceRequest request) {

  /** The longest name. */
  public static final int MOST_NAME = 63;

  public GangRoleSpec {
    Objects.requireNonNull(request, "request");
    if (name == null || !name.matches("[A-Za-z0-9][A-Za-z0-9_-]*") || name.length() > MOST_NAME) {
      throw new IllegalArgumentException(
          "a role's name is 1 to "
              + MOST_NAME
              + " letters, digits, '_' or '-', got '"
              + name
              + "'");
    }
    RecordChecks.within("count", 1, JobSpec.MOST_TASKS, count);
    RecordChecks.within("completions", 1, JobSpec.MOST_TASKS, completions);
    RecordChecks.atLeast("parallelism", 0, parallelism);
  }

  /** Returns the number of its tasks. */
  @JsonIgnore
  public long tasks() {
    return (long) count * completions;
  }
}
