package io.remuda.coordinator.rest.answer;

import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.LiveJobProgress;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Nodes, GPUs and jobs at once.
 *
 * @param time of the answer
 * @param counts number of live jobs by state
 * @param jobs some of the live jobs, in display order
 */
public record TopAnswer(
    String time,
    List<Node> nodes,
    List<TopGpuAnswer> gpus,
    Map<String, Integer> counts,
    List<JobAnswer> jobs) {

  /**
   * The live jobs.
   *
   * @param counts number of jobs by state
   * @param shown some of the jobs, in display order
   * @param views how far those of them are that are live
   */
  public record Jobs(
      Map<TaskState, Integer> counts, List<JobRow> shown, Map<JobId, LiveJobProgress> views) {}

  /**
   * A node.
   *
   * @param note why it starts nothing at the moment, or null
   * @param load1 mean load of the last minute, or null before its first sample
   * @param sampledAt time of its newest sample, or null
   */
  public record Node(
      String name,
      String state,
      String note,
      double cpus,
      double freeCpus,
      long memoryBytes,
      long freeMemoryBytes,
      int tasks,
      Double load1,
      String sampledAt) {

    private static Node of(NodeOffer node, ClusterNodesSnapshot cluster) {
      NodeSample sample = cluster.samples().get(node.node());
      return new Node(
          node.node(),
          NodeAnswer.label(node.presence()),
          NodeAnswer.note(node),
          node.cpus().total() / NodeAnswer.MILLIS_OF_CPU,
          node.cpus().free() / NodeAnswer.MILLIS_OF_CPU,
          node.memory().total(),
          node.memory().free(),
          cluster.running().getOrDefault(node.node(), 0),
          sample == null ? null : sample.host().load1(),
          sample == null ? null : JobAnswer.time(sample.atEpochMillis()));
    }
  }

  public static TopAnswer of(ClusterNodesSnapshot cluster, Jobs jobs, Instant now) {
    return new TopAnswer(
        now.toString(),
        cluster.nodes().stream().map(node -> Node.of(node, cluster)).toList(),
        cluster.nodes().stream().flatMap(node -> TopGpuAnswer.of(node, cluster)).toList(),
        ExplanationAnswer.counts(jobs.counts()),
        jobs.shown().stream().map(job -> job(job, jobs)).toList());
  }

  private static JobAnswer job(JobRow row, Jobs jobs) {
    LiveJobProgress view = jobs.views().get(row.id());
    return view == null ? JobAnswer.of(row) : JobAnswer.of(row).with(view);
  }
}
