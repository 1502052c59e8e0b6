package io.remuda.coordinator.schedule.model;

import io.remuda.worker.job.GangRoleSpec;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.List;

/**
 * The tasks of a job that start together.
 *
 * @param mixed whether they may have GPUs of different models
 * @param roles kinds of its members in the order of their tasks; empty if all are alike
 */
public record Gang(JobId job, boolean mixed, List<GangRoleSpec> roles) {
  public Gang {
    roles = List.copyOf(roles);
  }

  /** Returns the gang of a job, or null if its tasks start one by one. */
  public static Gang of(JobId job, GangTerms terms) {
    return terms == null || !terms.together() ? null : new Gang(job, terms.mixed(), terms.roles());
  }

  /**
   * Returns what a member needs.
   *
   * @param alike what each needs if all are alike
   */
  public ResourceRequest needs(TaskId task, ResourceRequest alike) {
    int index = task.index();
    for (GangRoleSpec role : roles) {
      if (index < role.count()) {
        return role.request();
      }
      index -= role.count();
    }
    return alike;
  }
}
