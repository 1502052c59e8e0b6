package io.remuda.coordinator.lifecycle;

import io.remuda.telemetry.render.ShortList;
import io.remuda.worker.job.JobDependency;
import java.util.List;

/** Which ends of a job meet a dependency on it. */
public final class DependencyRule {

  /** The first words of the cause of a job that waited for one of several in vain. */
  public static final String NONE_MET = "none of jobs ";

  /** Jobs that are named. */
  private static final int MOST_NAMED = 10;

  private DependencyRule() {}

  /** Returns whether a dependency is met by a job that has ended in this state. */
  public static boolean isMet(JobDependency dependency, TaskState state) {
    return switch (dependency.when()) {
      case ANY, EACH -> true; // task by task, each task is checked
      case OK -> state == TaskState.SUCCEEDED;
      case FAIL -> state != TaskState.SUCCEEDED;
    };
  }

  /** Returns why a job is cancelled that one of these was enough for, for people. */
  public static String noneMet(List<JobDependency> dependencies) {
    return NONE_MET + named(dependencies) + " ended that way";
  }

  /** Returns the first dependencies as {@code 3:ok, 5:any and 7 more}. */
  public static String named(List<JobDependency> dependencies) {
    return ShortList.of(dependencies, MOST_NAMED);
  }
}
