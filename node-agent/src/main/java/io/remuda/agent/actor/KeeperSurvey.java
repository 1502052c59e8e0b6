package io.remuda.agent.actor;

import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.worker.job.AttemptId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What is found when a keeper is joined: its tasks, and what the folders say of them and of others.
 *
 * @param tasks that the keeper has
 * @param folders of these
 * @param leases of programs in folders without an exit
 * @param ends of attempts in folders, as they were written down; also of such as are known anyway
 */
record KeeperSurvey(
    List<TaskView> tasks,
    Map<AttemptId, SurveyedFolder> folders,
    Map<AttemptId, SurveyedLease> leases,
    List<TaskReport> ends) {

  /**
   * What the folder of a task says of it.
   *
   * @param worker whether it is a built-in worker's
   * @param lent what its program was lent, if it is a lease
   * @param promise the part of devices that it was promised, if it was
   */
  record SurveyedFolder(
      boolean worker, Optional<SurveyedLease> lent, Optional<GpuPromise> promise) {}

  /**
   * A lease.
   *
   * @param givenBack whether its program has said that it is done
   */
  record SurveyedLease(LeaseNote program, boolean givenBack) {}

  /** Reads the folders; this may take as long as the disk likes. */
  static KeeperSurvey of(AgentSettings settings, List<TaskView> tasks) {
    Map<AttemptId, SurveyedFolder> folders = new TreeMap<>();
    for (TaskView task : tasks) {
      attemptOf(settings, task.key())
          .ifPresent(attempt -> folders.put(attempt, look(TaskFolder.of(settings, attempt))));
    }
    Map<AttemptId, SurveyedLease> leases = new TreeMap<>();
    TaskFolder.open(settings)
        .forEach(
            (attempt, folder) -> {
              if (!folder.hasExit()) {
                lent(folder).ifPresent(lent -> leases.put(attempt, lent));
              }
            });
    return new KeeperSurvey(tasks, folders, leases, UnreportedExits.notLearned(settings, Set.of()));
  }

  static Optional<AttemptId> attemptOf(AgentSettings settings, String key) {
    return key.startsWith(settings.keyPrefix())
        ? Optional.of(AttemptId.parse(key.substring(settings.keyPrefix().length())))
        : Optional.empty();
  }

  private static SurveyedFolder look(TaskFolder folder) {
    return new SurveyedFolder(folder.isWorker(), lent(folder), GpuPromise.read(folder.path()));
  }

  private static Optional<SurveyedLease> lent(TaskFolder folder) {
    return LeaseNote.read(folder.path())
        .map(note -> new SurveyedLease(note, LeaseNote.givenBack(folder.path()).isPresent()));
  }
}
