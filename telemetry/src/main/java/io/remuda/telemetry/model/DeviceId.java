package io.remuda.telemetry.model;

/**
 * Identifies a device across restarts, index changes and processes.
 *
 * @param uuid the vendor's identifier, such as {@code GPU-8f2c...}; never blank
 */
public record DeviceId(String uuid) {
  public DeviceId {
    if (uuid == null || uuid.isBlank()) {
      throw new IllegalArgumentException("uuid must not be blank but is '" + uuid + "'");
    }
  }

  @Override
  public String toString() {
    return uuid;
  }
}
