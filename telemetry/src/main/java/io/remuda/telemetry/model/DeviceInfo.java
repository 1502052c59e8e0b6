package io.remuda.telemetry.model;

import java.util.Objects;

/**
 * The properties of a device that stay constant while it is in its machine.
 *
 * @param id identifier used for allocation
 * @param index position in the driver's own order (PCI order for NVIDIA), from 0; that of its GPU
 *     for a MIG instance; may change at a reboot
 * @param vendor the manufacturer
 * @param name the product name, such as {@code NVIDIA H200}
 * @param pciBusId PCI address as the driver writes it; null when not available
 * @param memoryTotalBytes size of the device memory in bytes, 0 when not available
 * @param driver version of the driver; null when not available
 * @param mig position of a MIG instance; null for a whole device
 * @param ordinal number, from 0, by which a program that may see all GPUs of this vendor counts it:
 *     in PCI order for CUDA, in that of the kernel's driver for ROCm; null if that is not known, as
 *     where this process sees only some of the GPUs, and for a MIG instance
 */
public record DeviceInfo(
    DeviceId id,
    int index,
    DeviceVendor vendor,
    String name,
    String pciBusId,
    long memoryTotalBytes,
    String driver,
    MigSlot mig,
    Integer ordinal) {
  public DeviceInfo {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(vendor, "vendor");
    Objects.requireNonNull(name, "name");
    if (index < 0) {
      throw new IllegalArgumentException("index must be 0 or more but is " + index);
    }
    if (memoryTotalBytes < 0) {
      throw new IllegalArgumentException(
          "memoryTotalBytes must be 0 or more but is " + memoryTotalBytes);
    }
    if (ordinal != null && ordinal < 0) {
      throw new IllegalArgumentException("ordinal must be 0 or more but is " + ordinal);
    }
  }

  /** Creates the description of a device of which no ordinal is known. */
  public DeviceInfo(
      DeviceId id,
      int index,
      DeviceVendor vendor,
      String name,
      String pciBusId,
      long memoryTotalBytes,
      String driver,
      MigSlot mig) {
    this(id, index, vendor, name, pciBusId, memoryTotalBytes, driver, mig, null);
  }

  /** Creates the description of a whole device, which has no {@link MigSlot}. */
  public DeviceInfo(
      DeviceId id,
      int index,
      DeviceVendor vendor,
      String name,
      String pciBusId,
      long memoryTotalBytes,
      String driver) {
    this(id, index, vendor, name, pciBusId, memoryTotalBytes, driver, null);
  }

  /** Returns the GPU of a MIG instance; the device's own id otherwise. */
  public DeviceId physical() {
    return mig == null ? id : mig.gpu();
  }

  /** Returns the device with another ordinal; null for none. */
  public DeviceInfo withOrdinal(Integer other) {
    return new DeviceInfo(id, index, vendor, name, pciBusId, memoryTotalBytes, driver, mig, other);
  }

  /** Returns the number to display, as {@link DeviceSample#number} has it. */
  public String number() {
    return mig == null ? Integer.toString(index) : index + ":" + mig.slot();
  }

  /** Returns the slot of a MIG instance; null for a whole device. */
  public Integer migSlot() {
    return mig == null ? null : mig.slot();
  }
}
