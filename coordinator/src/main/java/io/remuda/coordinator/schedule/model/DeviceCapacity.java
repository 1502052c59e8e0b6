package io.remuda.coordinator.schedule.model;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.schedule.model.DeviceOffer.Standing;
import io.remuda.worker.job.ResourceRequest;
import java.util.Collections;
import java.util.Set;

/** The remaining capacity of a device. */
public final class DeviceCapacity {
  private final DeviceOffer offer;
  private Standing standing;
  private long freeMemory;
  private DeviceOffer.Load load;
  private int nodes;

  /** Its standing but for a reservation; null if it is not kept for a job. */
  private Standing unreserved;

  /** Whether {@link DeviceOffer#ownMemory} is still available; false after its first use. */
  private boolean ownIsLeft = true;

  DeviceCapacity(DeviceOffer offer) {
    this.offer = offer;
    this.standing = offer.standing();
    this.freeMemory = offer.freeMemory();
    this.load = offer.load();
  }

  /** Another node sees it, too. */
  void seen() {
    nodes++;
  }

  boolean isShared() {
    return nodes > 1;
  }

  /** Returns it as it would be without a reservation. */
  DeviceCapacity unreserved() {
    if (unreserved == null) {
      return this;
    }
    DeviceCapacity free = new DeviceCapacity(offer);
    free.standing = unreserved;
    free.freeMemory = freeMemory;
    free.load = load;
    free.ownIsLeft = ownIsLeft;
    return free;
  }

  boolean isModel(String wanted) {
    return offer.isModel(wanted);
  }

  boolean takesParts() {
    return standing == Standing.FREE
        || standing == Standing.SHARED
        || standing == Standing.OCCUPIED;
  }

  boolean hasMemoryFor(ResourceRequest needs) {
    return takesParts() && (left(needs) >= 0 || isAllFor(needs));
  }

  /** Returns whether it is idle and the task wants about all of its memory, which then fits. */
  private boolean isAllFor(ResourceRequest needs) {
    long nearlyAll = ResourceRequest.nearlyAll(offer.totalMemory());
    return standing == Standing.FREE
        && freeMemory >= nearlyAll
        && needs.gpuMemory() > nearlyAll
        && needs.gpuMemory() <= offer.totalMemory();
  }

  /** Returns the bytes left after the task has its part; negative if it does not fit. */
  long left(ResourceRequest needs) {
    long own = ownIsLeft ? offer.ownMemory(needs) : 0;
    return freeMemory + own - needs.gpuShare().partOf(offer.totalMemory());
  }

  boolean takesPart(ResourceRequest needs) {
    return hasMemoryFor(needs) && !load.isFullFor(needs) && !load.isTooBusyFor(needs);
  }

  boolean takes(ResourceRequest needs) {
    return needs.gpuShare().isShared() ? takesPart(needs) : takesWhole(needs);
  }

  /** Returns whether it is free, or occupied by no more than the process that asks for it. */
  private boolean takesWhole(ResourceRequest needs) {
    return standing == Standing.FREE
        || standing == Standing.OCCUPIED
            && needs.bound() != null
            && offer.strangers().bytes() - offer.ownMemory(needs) <= offer.strangers().tolerated();
  }

  /** Returns whether strangers use it, however little. */
  boolean isCrowded() {
    return offer.strangers().isAvoided();
  }

  /** Returns whether it is a whole GPU, or a slice if {@code model} asks for slices. */
  boolean isKind(String model) {
    return offer.slice() == DeviceOffer.asksForSlices(model);
  }

  boolean isApartFrom(Set<JobType> types) {
    return Collections.disjoint(load.types(), types);
  }

  void take(ResourceRequest needs, JobType type) {
    load = load.plus(needs, type);
    if (needs.gpuShare().isShared()) {
      standing = Standing.SHARED;
      freeMemory = Math.min(freeMemory, left(needs)); // own memory may exceed its part
      ownIsLeft &= needs.bound() == null;
    } else {
      standing = Standing.TAKEN;
      freeMemory = 0;
    }
  }

  /** What changes while a plan is made. */
  record Checkpoint(Standing standing, long freeMemory, DeviceOffer.Load load, boolean ownIsLeft) {}

  Checkpoint remember() {
    return new Checkpoint(standing, freeMemory, load, ownIsLeft);
  }

  void restore(Checkpoint before) {
    standing = before.standing();
    freeMemory = before.freeMemory();
    load = before.load();
    ownIsLeft = before.ownIsLeft();
  }

  /** Keeps it for a job: nothing else may take it. */
  void keep() {
    unreserved = standing;
    standing = Standing.TAKEN;
  }

  boolean isFree() {
    return standing == Standing.FREE;
  }

  DeviceOffer offer() {
    return offer;
  }

  DeviceOffer.Load load() {
    return load;
  }

  /** Returns the bytes that tasks may still take. */
  long freeMemory() {
    return freeMemory;
  }
}
