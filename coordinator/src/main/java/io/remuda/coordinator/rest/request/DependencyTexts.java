package io.remuda.coordinator.rest.request;

import io.remuda.coordinator.api.NewJob;
import io.remuda.worker.job.JobDependency;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The texts of the field {@code after} of a {@link JobRequest}. */
final class DependencyTexts {

  private static final String OUTCOME = ":(" + JobDependency.OUTCOMES + ")";

  private final Map<String, Integer> earlier;
  private final List<JobDependency> others = new ArrayList<>();
  private final List<NewJob.SiblingDependency> siblings = new ArrayList<>();
  private final List<NewJob.NamedDependency> named = new ArrayList<>();

  /**
   * Reads the texts.
   *
   * @param earlier positions of the earlier jobs of the submission, by name
   * @throws IllegalArgumentException if one is wrong; the message has it
   */
  DependencyTexts(List<String> texts, Map<String, Integer> earlier) {
    this.earlier = earlier;
    texts.forEach(this::add);
  }

  /**
   * Adds a dependency on an earlier job of the submission by name, on a job by number, or on the
   * user's newest job of a name.
   */
  private void add(String text) {
    int colon = text.lastIndexOf(':');
    String target = colon < 0 ? text : text.substring(0, colon);
    Integer position = earlier.get(target);
    if (position == null && (target.matches("\\d+") || text.isBlank())) {
      others.add(JobDependency.parse(text));
      return;
    }
    boolean stated = colon >= 0 && text.substring(colon).matches(OUTCOME);
    boolean twice =
        position == null && stated && target.matches(".+" + OUTCOME); // as of --after-each JOB:any
    if (colon >= 0 && !stated || twice) {
      throw new IllegalArgumentException(
          "a dependency is JOB or JOB:" + JobDependency.OUTCOMES + ", got '" + text + "'");
    }
    JobDependency.When when =
        JobDependency.parse("1" + (stated ? text.substring(colon) : "")).when();
    if (position != null) {
      siblings.add(new NewJob.SiblingDependency(position, when));
    } else {
      named.add(new NewJob.NamedDependency(target, when));
    }
  }

  List<JobDependency> others() {
    return others;
  }

  List<NewJob.SiblingDependency> siblings() {
    return siblings;
  }

  List<NewJob.NamedDependency> named() {
    return named;
  }
}
