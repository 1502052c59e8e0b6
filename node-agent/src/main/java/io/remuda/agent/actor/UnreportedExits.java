package io.remuda.agent.actor;

import io.remuda.agent.keeper.ExitFile;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The ends of attempts as their keepers wrote them down, for when the keeper is gone too; of those
 * of which nothing was written, that. Once a new keeper is there: its start has ended what ran on.
 */
final class UnreportedExits {

  private UnreportedExits() {}

  /**
   * Reports of ends that the coordinator has not learned, besides those that are known anyway.
   * Nothing of an attempt that was prepared and never begun: its order comes again.
   */
  static List<TaskReport> notLearned(AgentSettings settings, Set<AttemptId> known) {
    List<TaskReport> reports = new ArrayList<>();
    for (Map.Entry<AttemptId, TaskFolder> open : TaskFolder.open(settings).entrySet()) {
      TaskFolder folder = open.getValue();
      if (!known.contains(open.getKey()) && folder.mayHaveBegun()) {
        reports.add(
            exit(folder, settings.keyPrefix() + open.getKey())
                .map(exit -> report(open.getKey(), exit, folder))
                .orElseGet(() -> unknown(open.getKey())));
      }
    }
    return reports;
  }

  /** It may have run, and whatever ran has been ended; so it must not just be started again. */
  private static TaskReport unknown(AttemptId attempt) {
    return new TaskReport(
        attempt,
        TaskPhase.ENDED,
        0,
        null,
        TaskEnd.because(TaskEnd.Kind.KEEPER_GONE, "its keeper was lost, and its end with it"));
  }

  private static TaskReport report(AttemptId attempt, ExitRecord exit, TaskFolder folder) {
    return new TaskReport(
        attempt, TaskPhase.ENDED, exit.pid(), null, ExitInterpreter.of(exit, null, folder));
  }

  /** What cannot be read is as good as lost: the task then counts as gone with its node. */
  private static Optional<ExitRecord> exit(TaskFolder folder, String key) {
    try {
      return ExitFile.read(folder.path()).filter(exit -> exit.key().equals(key));
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }
}
