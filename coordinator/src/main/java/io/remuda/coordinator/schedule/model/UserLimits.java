package io.remuda.coordinator.schedule.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * What the tasks and jobs of one user may have at once. null stands for the limit of all users, and
 * {@value #NONE} for no limit.
 *
 * @param gpus devices
 * @param milliCpus thousandths of cores
 * @param running tasks with a place
 * @param waiting jobs with tasks that wait
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record UserLimits(Long gpus, Long milliCpus, Long running, Long waiting) {

  /** No limit, whatever that of all users is. */
  public static final long NONE = -1;

  /** The limits of all users. */
  public static final UserLimits USUAL = new UserLimits(null, null, null, null);

  /** Stands for all users where a name is expected. */
  public static final String ALL_USERS = "*";

  public UserLimits {
    check("gpus", gpus);
    check("milliCpus", milliCpus);
    check("running", running);
    check("waiting", waiting);
  }

  private static void check(String name, Long limit) {
    if (limit != null && limit < NONE) {
      throw new IllegalArgumentException(name + " must be 0 or more, or -1 for none, got " + limit);
    }
  }

  /** Returns these limits, and those of all users where they say nothing. */
  public UserLimits or(UserLimits ofAll) {
    return new UserLimits(
        gpus == null ? ofAll.gpus : gpus,
        milliCpus == null ? ofAll.milliCpus : milliCpus,
        running == null ? ofAll.running : running,
        waiting == null ? ofAll.waiting : waiting);
  }

  /** Returns whether they limit what runs. */
  @JsonIgnore
  public boolean limitTasks() {
    return limits(gpus) || limits(milliCpus) || limits(running);
  }

  /** Returns whether a limit is one. */
  public static boolean limits(Long limit) {
    return limit != null && limit != NONE;
  }
}
