package io.remuda.coordinator.rest.answer;

import io.remuda.coordinator.api.ClusterView;
import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.WaitReason;
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

  private static final int REASONS_IN_WORDS = 3;

  /**
   * The live jobs.
   *
   * @param counts number of jobs by state
   * @param shown some of the jobs, in display order
   * @param waiting why jobs wait; only for jobs that were queried
   */
  public record Jobs(
      Map<TaskState, Integer> counts, List<JobRow> shown, Map<JobId, List<WaitReason>> waiting) {}

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

    private static Node of(NodeOffer node, ClusterView cluster) {
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

  public static TopAnswer of(ClusterView cluster, Jobs jobs, Instant now) {
    return new TopAnswer(
        now.toString(),
        cluster.nodes().stream().map(node -> Node.of(node, cluster)).toList(),
        cluster.nodes().stream().flatMap(node -> TopGpuAnswer.of(node, cluster)).toList(),
        ExplanationAnswer.counts(jobs.counts()),
        jobs.shown().stream().map(job -> job(job, jobs)).toList());
  }

  private static JobAnswer job(JobRow row, Jobs jobs) {
    List<WaitReason> reasons = jobs.waiting().getOrDefault(row.id(), List.of());
    JobAnswer job = JobAnswer.of(row);
    return reasons.isEmpty() ? job : job.because(inWords(reasons));
  }

  /** Returns the first reasons in one line; {@code remuda explain} shows all. */
  private static String inWords(List<WaitReason> reasons) {
    List<WaitReason> first = reasons.subList(0, Math.min(REASONS_IN_WORDS, reasons.size()));
    int more = reasons.size() - first.size();
    return String.join("; ", WaitText.lines(first)) + (more == 0 ? "" : "; and " + more + " more");
  }
}
