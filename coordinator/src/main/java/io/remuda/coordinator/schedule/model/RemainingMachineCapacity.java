package io.remuda.coordinator.schedule.model;

import io.remuda.worker.job.ResourceRequest;

/** The capacity shared by the nodes of a machine. */
final class RemainingMachineCapacity {
  private long freeCpus;
  private long freeMemory;
  private int nodes;

  RemainingMachineCapacity(long freeCpus, long freeMemory) {
    this.freeCpus = freeCpus;
    this.freeMemory = freeMemory;
  }

  /** Adds a node of the machine; the smaller values count. */
  void alsoOffers(NodeOffer.MachineOffer offer) {
    nodes++;
    freeCpus = Math.min(freeCpus, offer.cpus().free());
    freeMemory = Math.min(freeMemory, offer.memory().free());
  }

  /** Returns whether it has several nodes. */
  boolean isShared() {
    return nodes > 1;
  }

  /** Returns thousandths of a core. */
  long freeCpus() {
    return freeCpus;
  }

  /** Returns bytes. */
  long freeMemory() {
    return freeMemory;
  }

  void take(ResourceRequest needs) {
    freeCpus -= needs.milliCpus();
    freeMemory -= needs.memory();
  }

  void restore(long cpus, long memory) {
    freeCpus = cpus;
    freeMemory = memory;
  }
}
