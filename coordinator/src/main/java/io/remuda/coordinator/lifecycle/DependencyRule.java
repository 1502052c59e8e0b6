package io.remuda.coordinator.lifecycle;

import io.remuda.worker.job.JobDependency;

/** Which ends of a job meet a dependency on it. */
public final class DependencyRule {

  private DependencyRule() {}

  /** Returns whether a dependency is met by a job that has ended in this state. */
  public static boolean isMet(JobDependency dependency, TaskState state) {
    return switch (dependency.when()) {
      case ANY, EACH -> true; // task by task, each task is checked
      case OK -> state == TaskState.SUCCEEDED;
      case FAIL -> state != TaskState.SUCCEEDED;
    };
  }
}
