package io.remuda.coordinator.registry;

import io.remuda.coordinator.schedule.model.NodeOffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The offers as they become while one slot after the other is given back: only those of nodes with
 * a further one are computed. Single-threaded.
 */
final class GrowingVacancy {

  private final OfferCache offers;
  private final Preemptions preemptions;
  private final long now;
  private final Set<Long> before = new HashSet<>();
  private List<NodeOffer> last;

  GrowingVacancy(OfferCache offers, Preemptions preemptions, long now) {
    this.offers = offers;
    this.preemptions = preemptions;
    this.now = now;
    this.last = offers.last();
  }

  /** Returns the offers without these slots, among which are those of all earlier calls. */
  List<NodeOffer> without(Set<Long> slots) {
    Set<Long> further = new HashSet<>(slots);
    further.removeAll(before);
    last = offers.without(slots, preemptions.nodesOf(further), last, now);
    before.addAll(further);
    return last;
  }
}
