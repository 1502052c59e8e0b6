package io.remuda.telemetry.model;

import java.util.Objects;

/**
 * What does not change while a device stays in its machine.
 *
 * @param id the identifier by which the device is handed out
 * @param index position in the driver's own order (PCI order for NVIDIA), from 0; it may change at
 *     a reboot
 * @param vendor who made it
 * @param name the product name, such as {@code NVIDIA H200}
 * @param pciBusId PCI address as the driver writes it; null when not available
 * @param memoryTotalBytes size of the device memory in bytes, 0 when not available
 * @param driver version of the driver; null when not available
 * @param mig where it is, for a MIG instance, whose index is that of its GPU; null for a whole one
 */
public record DeviceInfo(
    DeviceId id,
    int index,
    DeviceVendor vendor,
    String name,
    String pciBusId,
    long memoryTotalBytes,
    String driver,
    MigSlot mig) {
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
  }

  /** A whole device. */
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

  /** The whole device that this is, or is a part of. */
  public DeviceId physical() {
    return mig == null ? id : mig.gpu();
  }

  /** The slot of a MIG instance, or null. */
  public Integer migSlot() {
    return mig == null ? null : mig.slot();
  }
}
