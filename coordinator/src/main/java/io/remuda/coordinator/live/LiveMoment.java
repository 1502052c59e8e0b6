package io.remuda.coordinator.live;

import io.remuda.coordinator.api.ClusterMetrics;
import io.remuda.coordinator.api.LiveClusterView;
import io.remuda.coordinator.lifecycle.TaskState;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What those see who look on, as it is sent.
 *
 * @param time in seconds since 1970
 */
record LiveMoment(long time, WallPicture wall, Queue queue, Jobs jobs, Server server) {

  private static final long MILLIS = 1000;

  /**
   * The queue.
   *
   * @param waiting tasks without a place
   * @param running tasks with a place
   * @param tasks that have not ended, by state
   * @param jobs that have not ended, by state
   * @param reasons waiting tasks by the first reason of the first of them in each job
   * @param users what each has
   * @param oldestSince since when a task that could be placed has had no place, in seconds since
   *     1970; null if none waits
   * @param nextStart when the first waiting task is expected to start, in seconds since 1970; null
   *     if that is not known
   * @param failedJobs that failed in the last hour
   * @param revision grows when a job changes
   */
  record Queue(
      int waiting,
      int running,
      Map<String, Integer> tasks,
      Map<String, Integer> jobs,
      Map<String, Integer> reasons,
      Map<String, Share> users,
      Long oldestSince,
      Long nextStart,
      int failedJobs,
      long revision) {

    static Queue of(LiveClusterView view, LiveFeed.Records records, long nowMillis) {
      Map<String, Share> users = new TreeMap<>();
      view.activity()
          .queue()
          .byUser()
          .forEach((user, has) -> users.put(user, new Share(has.waiting(), has.running())));
      return new Queue(
          view.activity().queue().waiting(),
          view.activity().queue().running(),
          byLabel(view.tasks()),
          byLabel(view.jobs()),
          new TreeMap<>(view.activity().queue().byReason()),
          users,
          view.oldestWaitSeconds() == null
              ? null
              : Long.valueOf(Math.round((double) nowMillis / MILLIS - view.oldestWaitSeconds())),
          view.nextStartMillis() == null
              ? null
              : Long.valueOf((nowMillis + view.nextStartMillis()) / MILLIS),
          records.failedJobs(),
          records.revision());
    }

    private static Map<String, Integer> byLabel(Map<TaskState, Integer> counts) {
      Map<String, Integer> labels = new TreeMap<>();
      counts.forEach(
          (state, count) -> {
            if (count > 0) {
              labels.put(state.label(), count);
            }
          });
      return labels;
    }
  }

  /** What a user has. */
  record Share(int waiting, int running) {}

  /**
   * The jobs that run, up to a bound.
   *
   * @param left number of further ones
   */
  record Jobs(List<ClusterMetrics.RunningJob> running, int left) {}

  /**
   * The server.
   *
   * @param name of the coordinator that leads; null if it is not known yet, as the next three
   * @param since when it began to lead, in seconds since 1970
   * @param trouble why its state cannot be written at present, or null
   */
  record Server(String name, String version, Long epoch, Long since, String trouble) {}
}
