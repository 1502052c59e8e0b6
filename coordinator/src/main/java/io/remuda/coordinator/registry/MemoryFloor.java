package io.remuda.coordinator.registry;

import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * What a task needs at least, since it has failed with less; it counts where it is more than the
 * task has stated, or than its type was measured to need.
 *
 * @param gpuMemory bytes of each device, 0 for nothing known
 * @param memory bytes of the machine, 0 for nothing known
 */
public record MemoryFloor(long gpuMemory, long memory) {

  private static final int MEBIBYTE = 20;

  /** Of a task that has not failed for want of memory. */
  public static final MemoryFloor NONE = new MemoryFloor(0, 0);

  /** Whether nothing is known. */
  boolean isNone() {
    return gpuMemory == 0 && memory == 0;
  }

  /**
   * For people, behind the cause of an end: that the task had more than it has stated.
   *
   * @param had what it had
   */
  String words(ResourceRequest had) {
    List<String> parts = new ArrayList<>();
    if (memory > 0) {
      parts.add((had.memory() >> MEBIBYTE) + " MiB of memory");
    }
    if (gpuMemory > 0) {
      parts.add(had.isAuto() ? "whole GPUs" : (had.gpuMemory() >> MEBIBYTE) + " MiB of each GPU");
    }
    return isNone() ? "" : ", with " + String.join(" and ", parts) + " after less was too little";
  }

  MemoryFloor withGpuMemory(long bytes) {
    return new MemoryFloor(bytes, memory);
  }

  MemoryFloor withMemory(long bytes) {
    return new MemoryFloor(gpuMemory, bytes);
  }

  /** The same needs, with no less memory of the machine than this. */
  ResourceRequest raiseMemory(ResourceRequest needs) {
    return memory > needs.memory() ? needs.withMemory(memory) : needs;
  }

  /** The same needs, with no less of each device than this. */
  ResourceRequest raiseGpuMemory(ResourceRequest needs) {
    return gpuMemory > 0 && gpuMemory > needs.gpuMemory() ? needs.withGpuMemory(gpuMemory) : needs;
  }
}
