package io.remuda.coordinator.schedule.model;

import java.util.List;
import java.util.Map;

/** A saved state for {@link RemainingNodeCapacity#restore}. */
public record NodeCheckpoint(
    int version,
    int slots,
    long ownCpus,
    long ownMemory,
    long freeCpus,
    long freeMemory,
    Map<String, Long> counted,
    Map<String, Long> ofCluster,
    List<DeviceCapacity.Checkpoint> devices) {}
