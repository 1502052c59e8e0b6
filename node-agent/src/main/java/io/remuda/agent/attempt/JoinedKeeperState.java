package io.remuda.agent.attempt;

import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The state found when a keeper is joined: its tasks, and the contents of task folders.
 *
 * @param tasks tasks of the keeper
 * @param folders folders of these tasks
 * @param leases leases of programs in folders without an exit record
 * @param ends recorded ends of attempts, including those that the agent already knows
 */
public record JoinedKeeperState(
    List<TaskView> tasks,
    Map<AttemptId, SurveyedFolder> folders,
    Map<AttemptId, SurveyedLease> leases,
    List<TaskReport> ends) {

  /**
   * The content of a task's folder.
   *
   * @param worker whether the task is a built-in worker
   * @param lent the lease, if the task is one
   * @param promise the promised device memory, if any
   * @param devices of the task; none if it has ended or has cleared its environment
   */
  public record SurveyedFolder(
      boolean worker,
      Optional<SurveyedLease> lent,
      Optional<PromisedGpuMemoryNote> promise,
      List<DeviceId> devices) {}

  /**
   * A lease.
   *
   * @param givenBack whether its program has given its devices back
   */
  public record SurveyedLease(DeviceLeaseRecord program, boolean givenBack) {}

  /** Reads the folders; blocks while the disk hangs. */
  public static JoinedKeeperState of(AgentSettings settings, List<TaskView> tasks) {
    Map<AttemptId, SurveyedFolder> folders = new TreeMap<>();
    for (TaskView task : tasks) {
      attemptOf(settings, task.key())
          .ifPresent(attempt -> folders.put(attempt, look(TaskFolder.of(settings, attempt), task)));
    }
    Map<AttemptId, SurveyedLease> leases = new TreeMap<>();
    TaskFolder.open(settings)
        .forEach(
            (attempt, folder) -> {
              if (!folder.hasExit()) {
                lent(folder).ifPresent(lent -> leases.put(attempt, lent));
              }
            });
    return new JoinedKeeperState(
        tasks, folders, leases, LostKeeperExitReader.notLearned(settings, Set.of()));
  }

  /** Returns a copy with other ends. */
  public JoinedKeeperState withEnds(List<TaskReport> others) {
    return new JoinedKeeperState(tasks, folders, leases, others);
  }

  public static Optional<AttemptId> attemptOf(AgentSettings settings, String key) {
    return key.startsWith(settings.keyPrefix())
        ? Optional.of(AttemptId.parse(key.substring(settings.keyPrefix().length())))
        : Optional.empty();
  }

  private static SurveyedFolder look(TaskFolder folder, TaskView task) {
    Optional<SurveyedLease> lent = lent(folder);
    return new SurveyedFolder(
        folder.isWorker(), lent, PromisedGpuMemoryNote.read(folder.path()), devices(task, lent));
  }

  private static List<DeviceId> devices(TaskView task, Optional<SurveyedLease> lent) {
    if (task.state() == TaskView.State.EXITED) {
      return List.of();
    }
    List<String> uuids =
        lent.isPresent()
            ? lent.get().program().devices()
            : TaskEnvironmentReader.of(task.pid()).devices();
    return uuids.stream().map(DeviceId::new).toList();
  }

  private static Optional<SurveyedLease> lent(TaskFolder folder) {
    return DeviceLeaseRecord.read(folder.path())
        .map(
            note ->
                new SurveyedLease(note, DeviceLeaseRecord.givenBack(folder.path()).isPresent()));
  }
}
