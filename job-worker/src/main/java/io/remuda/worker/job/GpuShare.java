package io.remuda.worker.job;

/** How much of each of its devices a task needs. Immutable. */
public sealed interface GpuShare {

  /** All of a device, with no other task on it. */
  record Whole() implements GpuShare {}

  /**
   * A part of a device's memory; other tasks may have the rest.
   *
   * @param bytes at least 1
   */
  record Bytes(long bytes) implements GpuShare {
    public Bytes {
      if (bytes < 1) {
        throw new IllegalArgumentException("bytes must be at least 1, got " + bytes);
      }
    }
  }

  /** What was measured for the task's type; the whole device while that is not known. */
  record Measured() implements GpuShare {}

  /**
   * An equal part of a device's memory.
   *
   * @param tasks maximum number of tasks on a device, at least 2
   */
  record PerDevice(int tasks) implements GpuShare {
    public PerDevice {
      RecordChecks.atLeast("tasks", 2, tasks);
    }
  }

  /** The only instance that is needed. */
  GpuShare WHOLE = new Whole();

  /** The only instance that is needed. */
  GpuShare MEASURED = new Measured();

  /** Returns whether other tasks may be on the device. */
  default boolean isShared() {
    return this instanceof Bytes || this instanceof PerDevice;
  }

  /** Returns whether a number of bytes decides, stated or measured. */
  default boolean isByMemory() {
    return this instanceof Bytes || this instanceof Measured;
  }

  /** Returns whether its type is measured, so that it has the device to itself. */
  default boolean isMeasured() {
    return this instanceof Measured;
  }

  /** Returns the promised bytes of each device; 0 if no number of bytes is promised. */
  default long promisedBytes() {
    return this instanceof Bytes part ? part.bytes() : 0;
  }

  /**
   * Returns the part in bytes of a device of {@code deviceBytes}; without a number of bytes it is a
   * part of {@link ResourceRequest#nearlyAll}.
   */
  default long partOf(long deviceBytes) {
    if (this instanceof Bytes part) {
      return part.bytes();
    }
    return this instanceof PerDevice equal
        ? ResourceRequest.nearlyAll(deviceBytes) / equal.tasks()
        : deviceBytes;
  }
}
