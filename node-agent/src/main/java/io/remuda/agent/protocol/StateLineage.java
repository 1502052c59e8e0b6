package io.remuda.agent.protocol;

import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import java.util.List;
import java.util.Objects;

/**
 * Which attempts belong to a state file: those that were placed in it, and those of the files that
 * it goes on from, up to where it went another way. Numbers of jobs are given out once in a file,
 * so birth and number together mean one job.
 *
 * @param origins the file itself, then those before it, the newest first; none if there is no file
 *     that gives out numbers, and every attempt belongs
 */
public record StateLineage(List<Origin> origins) {

  /** Every attempt belongs. */
  public static final StateLineage ALL = new StateLineage(List.of());

  /**
   * A file of which attempts belong.
   *
   * @param birth as {@link AttemptId#birth(long)} writes it
   * @param lastJob the highest number of a job that it shares
   */
  public record Origin(String birth, long lastJob) {

    public Origin {
      Objects.requireNonNull(birth, "birth");
    }

    private boolean includes(AttemptId attempt) {
      String tag = attempt.tag();
      boolean same = tag.isEmpty() || birth.isEmpty() ? tag.equals(birth) : tag.startsWith(birth);
      return same && attempt.task().job().value() <= lastJob;
    }
  }

  public StateLineage {
    origins = origins == null ? List.of() : List.copyOf(origins);
  }

  /** Whether an attempt is one of the file's. */
  public boolean includes(AttemptId attempt) {
    if (origins.isEmpty()) {
      return true;
    }
    for (Origin origin : origins) {
      if (origin.includes(attempt)) {
        return true;
      }
    }
    return false;
  }

  /** The births under which attempts of a job may have been placed, the newest first. */
  public List<String> birthsOf(JobId job) {
    return origins.stream()
        .filter(origin -> job.value() <= origin.lastJob())
        .map(Origin::birth)
        .toList();
  }
}
