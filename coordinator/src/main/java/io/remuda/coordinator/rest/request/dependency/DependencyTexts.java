package io.remuda.coordinator.rest.request.dependency;

import io.remuda.coordinator.api.NewJob;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The texts of the fields {@code after} and {@code afterOneOf} of a request for a job. */
public final class DependencyTexts {

  private static final String OUTCOME = ":(" + JobDependency.OUTCOMES + ")";

  private final Map<String, Integer> earlier;
  private final boolean one;
  private final List<JobDependency> others = new ArrayList<>();
  private final List<NewJob.SiblingDependency> siblings = new ArrayList<>();
  private final List<NewJob.NamedDependency> named = new ArrayList<>();

  /**
   * Reads the texts.
   *
   * @param after all of which have to end first
   * @param afterOneOf of which one has to end first; one of the two lists is empty
   * @param earlier positions of the earlier jobs of the submission, by name
   * @throws IllegalArgumentException if one is wrong; the message has it
   */
  public DependencyTexts(
      List<String> after, List<String> afterOneOf, Map<String, Integer> earlier) {
    if (!after.isEmpty() && !afterOneOf.isEmpty()) {
      throw new IllegalArgumentException(
          "after and afterOneOf exclude each other: a job waits for all of these or for one");
    }
    this.earlier = earlier;
    this.one = !afterOneOf.isEmpty();
    (one ? afterOneOf : after).forEach(this::add);
  }

  /**
   * Adds a dependency on an earlier job of the submission by name, on a job by number, or on the
   * user's newest job of a name.
   */
  private void add(String text) {
    int colon = text.lastIndexOf(':');
    String target = colon < 0 ? text : text.substring(0, colon);
    Integer position = earlier.get(target);
    boolean number = position == null && (target.matches("\\d+") || text.isBlank());
    boolean stated = colon >= 0 && text.substring(colon).matches(OUTCOME);
    boolean twice =
        position == null && stated && target.matches(".+" + OUTCOME); // as of --after-each JOB:any
    if (!number && (colon >= 0 && !stated || twice)) {
      throw new IllegalArgumentException(
          "a dependency is JOB or JOB:" + JobDependency.OUTCOMES + ", got '" + text + "'");
    }
    JobDependency parsed =
        JobDependency.parse(number ? text : "1" + (stated ? text.substring(colon) : ""));
    if (one && parsed.isTaskByTask()) {
      throw new IllegalArgumentException("afterOneOf: " + JobTerms.ONE_AS_A_WHOLE);
    }
    if (number) {
      others.add(parsed);
    } else if (position != null) {
      siblings.add(new NewJob.SiblingDependency(position, parsed.when()));
    } else {
      named.add(new NewJob.NamedDependency(target, parsed.when()));
    }
  }

  /** Returns whether the job starts after one of them, not after all. */
  public boolean oneIsEnough() {
    return one;
  }

  /** Returns those on jobs by number. */
  public List<JobDependency> others() {
    return List.copyOf(others);
  }

  /** Returns those on earlier jobs of the submission. */
  public List<NewJob.SiblingDependency> siblings() {
    return List.copyOf(siblings);
  }

  /** Returns those on the user's newest jobs of a name. */
  public List<NewJob.NamedDependency> named() {
    return List.copyOf(named);
  }
}
