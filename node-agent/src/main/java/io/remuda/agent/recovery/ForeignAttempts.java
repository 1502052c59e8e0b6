package io.remuda.agent.recovery;

import io.remuda.agent.protocol.StateFileLineage;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.worker.job.AttemptId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Attempts on this node that another state file has started than that of the coordinator. They are
 * neither ended nor forgotten: their coordinator may come back. One thread.
 */
public final class ForeignAttempts {

  private final Map<AttemptId, TaskReport.Facts> facts = new HashMap<>();
  private StateFileLineage lineage = StateFileLineage.ALL;

  /** Sets the lineage of the coordinator that leads; what is foreign to it must be found again. */
  public void lead(StateFileLineage leading) {
    lineage = leading;
    facts.clear();
  }

  /** Returns the lineage of the coordinator that leads; before the first one every attempt's. */
  public StateFileLineage lineage() {
    return lineage;
  }

  /** Returns whether an attempt belongs to the coordinator that leads. */
  public boolean isOwn(AttemptId attempt) {
    return lineage.includes(attempt);
  }

  /** Adds a foreign attempt with what its coordinator knows of it, but this one does not. */
  public void found(AttemptId attempt, TaskReport.Facts known) {
    facts.put(attempt, known);
  }

  /** Returns the attempts that were found. */
  public Set<AttemptId> attempts() {
    return Collections.unmodifiableSet(facts.keySet());
  }

  /** Returns what the coordinator is told: of foreign attempts only live ones, with their facts. */
  public List<TaskReport> reports(Collection<TaskReport> all, Predicate<AttemptId> isOver) {
    if (facts.isEmpty()) {
      return List.copyOf(all);
    }
    List<TaskReport> told = new ArrayList<>(all.size());
    for (TaskReport report : all) {
      TaskReport.Facts known = facts.get(report.attempt());
      if (known == null) {
        told.add(report);
      } else if (!isOver.test(report.attempt())) {
        told.add(report.with(known));
      }
    }
    return told;
  }
}
