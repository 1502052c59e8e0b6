package io.remuda.coordinator.job;

import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.schedule.model.NodeNameOrder;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.telemetry.render.ShortList;
import io.remuda.worker.job.GangRoleSpec;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Refuses jobs that name or exclude nodes that the server does not know. */
final class UnknownNodeCheck {

  private static final int MOST_SHOWN = 20;

  private UnknownNodeCheck() {}

  /**
   * Returns the rejection of a job with an unknown name, which is most likely misspelled.
   *
   * @param offers of all known nodes; without any, the job waits for nodes to join
   */
  static Optional<Rejection> refusal(NewJob job, List<NodeOffer> offers) {
    if (offers.isEmpty()) {
      return Optional.empty();
    }
    SortedSet<String> unknown = new TreeSet<>(NodeNameOrder.ORDER);
    requests(job)
        .map(ResourceRequest::nodeNeeds)
        .forEach(
            needs -> {
              unknown.addAll(needs.only());
              unknown.addAll(needs.except());
            });
    List<String> known = offers.stream().map(NodeOffer::node).sorted(NodeNameOrder.ORDER).toList();
    known.forEach(unknown::remove);
    return unknown.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Rejection(
                Rejection.Code.NEVER_FITS,
                "no node is named "
                    + String.join(", ", unknown)
                    + "; there are "
                    + ShortList.of(known, MOST_SHOWN),
                "correct the name, or let the node join first"));
  }

  private static Stream<ResourceRequest> requests(NewJob job) {
    List<GangRoleSpec> roles = job.terms().gang() == null ? List.of() : job.terms().gang().roles();
    return Stream.concat(Stream.of(job.request()), roles.stream().map(GangRoleSpec::request));
  }
}
