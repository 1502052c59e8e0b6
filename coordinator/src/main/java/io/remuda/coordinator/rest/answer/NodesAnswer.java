package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import java.util.List;
import java.util.Map;

/**
 * The nodes.
 *
 * @param resources the counted resources that all nodes share, by name
 * @param absent why the node of the server's machine is not among those that are connected; absent
 *     if it is, or if that is not known
 * @param scheduling how the server decides whose turn it is
 */
public record NodesAnswer(
    List<NodeAnswer> nodes,
    Map<String, NodeAnswer.Counted> resources,
    @JsonInclude(JsonInclude.Include.NON_NULL) String absent,
    Scheduling scheduling) {

  /**
   * The settings by which the server decides, as {@code remuda.coordinator.sharing} has them.
   *
   * @param order whose turn it is
   * @param reserveAfterMillis how long a task that fits nowhere is overtaken
   * @param useHalfLifeMillis half-life of a user's past use
   * @param preemptFor for whom preemptible tasks leave
   * @param firstRun where the first task of a type runs whose GPU memory is measured
   * @param tests the bounds of jobs with qos test
   */
  public record Scheduling(
      String order,
      long reserveAfterMillis,
      long useHalfLifeMillis,
      String preemptFor,
      String firstRun,
      Tests tests) {

    /**
     * The bounds of jobs with qos test.
     *
     * @param timeLimitMillis the longest time limit of a task
     * @param gpus most GPUs of a task, of a gang of all its tasks
     * @param running most tasks of one user that run at once
     */
    public record Tests(long timeLimitMillis, int gpus, int running) {
      private static Tests of(SchedulingSettings.TestBounds bounds) {
        return new Tests(bounds.timeLimit().toMillis(), bounds.gpus(), bounds.running());
      }
    }

    private static Scheduling of(SchedulingSettings settings) {
      return new Scheduling(
          settings.order().toString(),
          settings.reserveAfter().toMillis(),
          settings.useHalfLife().toMillis(),
          settings.claims().name(),
          settings.firstRun().name(),
          Tests.of(settings.tests()));
    }
  }

  /**
   * @param absent why the node of the server's machine is not there, or null
   */
  public static NodesAnswer of(
      ClusterNodesSnapshot cluster, String absent, SchedulingSettings settings) {
    return new NodesAnswer(
        cluster.nodes().stream().map(node -> NodeAnswer.of(node, cluster)).toList(),
        cluster.nodes().isEmpty()
            ? Map.of()
            : NodeAnswer.Counted.of(cluster.nodes().get(0).counted().ofCluster()),
        absent,
        Scheduling.of(settings));
  }
}
