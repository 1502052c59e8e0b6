package io.remuda.coordinator.schedule.model;

import java.util.concurrent.atomic.AtomicLong;

/** What a node has left of its own; shared with the views of the node. */
final class RemainingOwnCapacity {
  private static final AtomicLong GENERATIONS = new AtomicLong();

  /** Stands for the node where a reference to it would keep it in memory. */
  final long generation = GENERATIONS.incrementAndGet();

  /** Changes when something is taken or kept; what is restored has the number that it had. */
  int version;

  private int newest;

  final int slotsBefore;
  int slots;
  long freeCpus;
  long freeMemory;
  final RemainingCountedResources counted = new RemainingCountedResources();

  RemainingOwnCapacity(NodeOffer offer) {
    slotsBefore = NodeOffer.MOST_TASKS - offer.tasks();
    slots = slotsBefore;
    freeCpus = offer.cpus().free();
    freeMemory = offer.memory().free();
    counted.alsoOffers(offer.counted().ofNode());
  }

  void isChanged() {
    version = ++newest;
  }
}
