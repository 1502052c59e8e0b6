package io.remuda.coordinator.store;

import io.remuda.agent.protocol.StateFileLineage;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.registry.policy.NodeDrain;
import io.remuda.coordinator.registry.task.EndedTasks;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.coordinator.store.row.UserRow;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import java.util.List;
import java.util.Map;

/**
 * The live content of a store when it was opened.
 *
 * @param epoch of this leadership, higher than any before
 * @param nextJob the number of the next job
 * @param nextEvent the sequence of the next event
 * @param jobs the live jobs by number, with their specs
 * @param tasks their live tasks that were placed at least once
 * @param ended their ended tasks
 * @param users all users, also removed ones
 * @param used use of each user, in core-seconds
 * @param drained what of nodes gets no new tasks, by node
 * @param profiles profiles of all job types
 * @param birth of the file; distinguishes its attempts
 * @param lineage determines which attempts belong to the file
 */
public record StoreState(
    long epoch,
    long nextJob,
    long nextEvent,
    List<LiveJob> jobs,
    Map<JobId, List<TaskRow>> tasks,
    Map<JobId, EndedTasks> ended,
    List<UserRow> users,
    Map<String, Double> used,
    Map<String, NodeDrain> drained,
    List<Profile> profiles,
    long birth,
    StateFileLineage lineage) {

  /** A state without a file: it has no birth, and all attempts belong to it. */
  public StoreState(
      long epoch,
      long nextJob,
      long nextEvent,
      List<LiveJob> jobs,
      Map<JobId, List<TaskRow>> tasks,
      Map<JobId, EndedTasks> ended,
      List<UserRow> users,
      Map<String, Double> used,
      Map<String, NodeDrain> drained,
      List<Profile> profiles) {
    this(
        epoch,
        nextJob,
        nextEvent,
        jobs,
        tasks,
        ended,
        users,
        used,
        drained,
        profiles,
        0,
        StateFileLineage.ALL);
  }

  /** Returns a state of these jobs for a rehearsal, without all else. */
  public static StoreState toRehearse(
      List<LiveJob> jobs, Map<JobId, List<TaskRow>> tasks, Map<JobId, EndedTasks> ended) {
    return new StoreState(0, 1, 1, jobs, tasks, ended, List.of(), Map.of(), Map.of(), List.of());
  }

  /** Returns the state for a run, whose nodes never meet attempts of another state file. */
  public StoreState withoutBirth() {
    return new StoreState(
        epoch, nextJob, nextEvent, jobs, tasks, ended, users, used, drained, profiles);
  }

  /** A job that has not ended. */
  public record LiveJob(JobSpec spec, JobRow row) {}
}
