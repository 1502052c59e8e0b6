package io.remuda.coordinator.store;

import io.remuda.agent.protocol.StateLineage;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.registry.EndedTasks;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a store held when it was opened: all that is not over.
 *
 * @param epoch of this leadership, higher than any before
 * @param nextJob the number of the next job
 * @param nextEvent the sequence of the next event
 * @param jobs live ones by number, with what was asked for
 * @param tasks their tasks that were placed at least once and are not over
 * @param ended their tasks that are over
 * @param users who may submit
 * @param used by each user, in core-seconds
 * @param drained nodes that get no more tasks
 * @param profiles what types are known to need
 * @param birth of the file, by which its attempts are known
 * @param lineage which attempts are the file's
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
    Set<String> drained,
    List<Profile> profiles,
    long birth,
    StateLineage lineage) {

  /** One of no file. */
  public StoreState(
      long epoch,
      long nextJob,
      long nextEvent,
      List<LiveJob> jobs,
      Map<JobId, List<TaskRow>> tasks,
      Map<JobId, EndedTasks> ended,
      List<UserRow> users,
      Map<String, Double> used,
      Set<String> drained,
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
        StateLineage.ALL);
  }

  /** A job that is not over. */
  public record LiveJob(JobSpec spec, JobRow row) {}
}
