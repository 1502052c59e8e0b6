package io.remuda.coordinator.registry.task;

import io.remuda.worker.job.GpuShare;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * The minimum memory of a task that has failed with less. It applies where it exceeds the task's
 * request or the measurement of its type.
 *
 * @param gpuMemory bytes of each device, 0 if unknown
 * @param memory bytes of the machine, 0 if unknown
 */
public record MemoryFloor(long gpuMemory, long memory) {

  private static final int MEBIBYTE = 20;

  /** The floor of a task that has not run out of memory. */
  public static final MemoryFloor NONE = new MemoryFloor(0, 0);

  /** Returns whether no minimum is known. */
  public boolean isNone() {
    return gpuMemory == 0 && memory == 0;
  }

  /**
   * Returns the text to append to the cause of an end, for people; empty without a minimum.
   *
   * @param had resources of the last attempt
   */
  public String words(ResourceRequest had) {
    List<String> parts = new ArrayList<>();
    if (memory > 0) {
      parts.add((had.memory() >> MEBIBYTE) + " MiB of memory");
    }
    if (gpuMemory > 0) {
      parts.add(
          had.gpuShare() instanceof GpuShare.Bytes part
              ? (part.bytes() >> MEBIBYTE) + " MiB of each GPU"
              : "whole GPUs");
    }
    return isNone() ? "" : ", with " + String.join(" and ", parts) + " after less was too little";
  }

  public MemoryFloor withGpuMemory(long bytes) {
    return new MemoryFloor(bytes, memory);
  }

  public MemoryFloor withMemory(long bytes) {
    return new MemoryFloor(gpuMemory, bytes);
  }

  /** Returns a copy of {@code needs} with at least this memory of the machine. */
  public ResourceRequest raiseMemory(ResourceRequest needs) {
    return memory > needs.memory() ? needs.withMemory(memory) : needs;
  }

  /** Returns a copy of {@code needs} with at least this memory of each device. */
  public ResourceRequest raiseGpuMemory(ResourceRequest needs) {
    return gpuMemory > 0 && gpuMemory > needs.gpuMemory() ? needs.withGpuMemory(gpuMemory) : needs;
  }
}
