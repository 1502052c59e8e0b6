package io.remuda.coordinator.registry;

import io.remuda.worker.job.ResourceRequest;

/**
 * What a task needs at least, since it has failed with less; it counts where it is more than the
 * task has stated, or than its type was measured to need.
 *
 * @param gpuMemory bytes of each device, 0 for nothing known
 * @param memory bytes of the machine, 0 for nothing known
 */
public record Floor(long gpuMemory, long memory) {

  /** Of a task that has not failed for want of memory. */
  public static final Floor NONE = new Floor(0, 0);

  /** Whether nothing is known. */
  boolean isNone() {
    return gpuMemory == 0 && memory == 0;
  }

  Floor withGpuMemory(long bytes) {
    return new Floor(bytes, memory);
  }

  Floor withMemory(long bytes) {
    return new Floor(gpuMemory, bytes);
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
