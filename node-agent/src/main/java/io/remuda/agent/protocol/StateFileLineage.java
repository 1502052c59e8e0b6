package io.remuda.agent.protocol;

import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import java.util.List;
import java.util.Objects;

/**
 * Determines which attempts belong to a state file: those that were placed in it, and those of its
 * predecessors up to the point where it branched off. A state file assigns each job number once, so
 * birth and job number together identify a job.
 *
 * @param origins the file itself, then its predecessors, newest first. Empty if there is no state
 *     file that assigns numbers; then every attempt belongs
 */
public record StateFileLineage(List<Origin> origins) {

  /** The lineage to which every attempt belongs. */
  public static final StateFileLineage ALL = new StateFileLineage(List.of());

  /**
   * A state file in the lineage.
   *
   * @param birth birth as {@link AttemptId#birth(long)} writes it
   * @param lastJob highest job number that it shares with the lineage
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

  public StateFileLineage {
    origins = origins == null ? List.of() : List.copyOf(origins);
  }

  /** Returns whether an attempt belongs to the state file. */
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

  /** Returns the births under which attempts of a job may have been placed, newest first. */
  public List<String> birthsOf(JobId job) {
    return origins.stream()
        .filter(origin -> job.value() <= origin.lastJob())
        .map(Origin::birth)
        .toList();
  }
}
