package io.remuda.coordinator.rest.request;

import io.remuda.coordinator.api.NewJob;
import io.remuda.worker.job.JobDependency;
import java.util.List;
import java.util.Map;

/** The texts of the field {@code after} of a {@link JobRequest}. */
final class DependencyTexts {

  private DependencyTexts() {}

  /** Adds a dependency on an earlier job of the submission, by name, or on a job by number. */
  static void add(
      String text,
      Map<String, Integer> earlier,
      List<JobDependency> others,
      List<NewJob.SiblingDependency> siblings) {
    int colon = text.lastIndexOf(':');
    String target = colon < 0 ? text : text.substring(0, colon);
    Integer position = earlier.get(target);
    if (position != null) {
      String when = colon < 0 ? "ok" : text.substring(colon + 1);
      if (!when.matches(JobDependency.OUTCOMES)) {
        throw new IllegalArgumentException(
            "a dependency is JOB or JOB:" + JobDependency.OUTCOMES + ", got '" + text + "'");
      }
      siblings.add(new NewJob.SiblingDependency(position, JobDependency.parse("1:" + when).when()));
    } else {
      others.add(JobDependency.parse(text));
    }
  }
}
