package io.remuda.coordinator.metrics;

import io.remuda.coordinator.api.ClusterMetrics;
import io.remuda.coordinator.cluster.ClusterMemberStatus;
import io.remuda.coordinator.cluster.LeaderNotice;
import java.util.List;
import java.util.Map;

/**
 * What a page of metrics is made of.
 *
 * @param cluster what the coordinator says
 * @param members the coordinators of the cluster
 * @param leader what the leader has said of itself last, or null
 * @param requests of the leader's HTTP interface, by route and status
 * @param users whether users are named
 */
public record MetricsSources(
    ClusterMetrics cluster,
    List<ClusterMemberStatus> members,
    LeaderNotice leader,
    Map<HttpRequestCounts.Answered, Long> requests,
    boolean users) {
  public MetricsSources {
    members = List.copyOf(members);
    requests = Map.copyOf(requests);
  }
}
