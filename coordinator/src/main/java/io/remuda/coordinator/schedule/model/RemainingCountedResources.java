package io.remuda.coordinator.schedule.model;

import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import io.remuda.worker.job.NodeConstraints;
import java.util.HashMap;
import java.util.Map;

/** What is left of counted resources while a plan is made. */
final class RemainingCountedResources {

  private final Map<String, Long> free = new HashMap<>();

  /** Adds resources; of equal names the smaller amount counts. */
  void alsoOffers(Map<String, Amount> offered) {
    offered.forEach((name, amount) -> free.merge(name, amount.free(), Math::min));
  }

  boolean isAny() {
    return !free.isEmpty();
  }

  boolean has(String name) {
    return free.containsKey(name);
  }

  /** Returns how much is left, 0 of a resource that there is not. */
  long free(String name) {
    return free.getOrDefault(name, 0L);
  }

  /** Takes what a task needs of the resources that there are. */
  void take(NodeConstraints needs) {
    needs
        .counted()
        .forEach((name, wanted) -> free.computeIfPresent(name, (key, left) -> left - wanted));
  }

  Map<String, Long> remember() {
    return free.isEmpty() ? Map.of() : Map.copyOf(free);
  }

  void restore(Map<String, Long> before) {
    free.putAll(before);
  }
}
