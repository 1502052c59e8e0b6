package io.remuda.agent.actor;

import io.remuda.agent.keeper.ExitFile;
import io.remuda.agent.keeper.ExitRecord;
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

/** The ends of attempts as their keepers wrote them down, for when the keeper is gone too. */
final class Ends {

  private Ends() {}

  /** Reports of ends that the coordinator has not learned, besides those that are known anyway. */
  static List<TaskReport> notLearned(AgentSettings settings, Set<AttemptId> known) {
    List<TaskReport> reports = new ArrayList<>();
    for (Map.Entry<AttemptId, TaskFolder> open : TaskFolder.open(settings).entrySet()) {
      if (!known.contains(open.getKey())) {
        exit(open.getValue(), settings.keyPrefix() + open.getKey())
            .map(exit -> report(open.getKey(), exit, open.getValue()))
            .ifPresent(reports::add);
      }
    }
    return reports;
  }

  private static TaskReport report(AttemptId attempt, ExitRecord exit, TaskFolder folder) {
    return new TaskReport(
        attempt, TaskPhase.ENDED, exit.pid(), null, TaskEnds.of(exit, null, folder));
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
