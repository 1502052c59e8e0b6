package io.remuda.agent.attempt;

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
 * Reads the ends of attempts of lost keepers from their exit records. Must be called after a new
 * keeper has started, since its start kills what still runs.
 */
final class LostKeeperExitReader {

  private LostKeeperExitReader() {}

  /**
   * Returns the ends that the coordinator has not learned, without the known attempts. An attempt
   * that was prepared but did not start is left out: its order comes again.
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

  /**
   * Returns an unknown end: the attempt may have run and was killed, so it must not be started
   * again as if it had not.
   */
  private static TaskReport unknown(AttemptId attempt) {
    return new TaskReport(
        attempt,
        TaskPhase.ENDED,
        0,
        null,
        TaskEnd.because(TaskEnd.Kind.KEEPER_GONE, "its keeper was lost and left no exit record"));
  }

  private static TaskReport report(AttemptId attempt, ExitRecord exit, TaskFolder folder) {
    return new TaskReport(
        attempt, TaskPhase.ENDED, exit.pid(), null, ExitInterpreter.of(exit, null, folder));
  }

  /** Reads the exit record; an unreadable one counts as lost with the keeper. */
  private static Optional<ExitRecord> exit(TaskFolder folder, String key) {
    try {
      return ExitFile.read(folder.path()).filter(exit -> exit.key().equals(key));
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }
}
