package io.remuda.agent.settings;

import com.typesafe.config.Config;
import io.remuda.telemetry.machine.UncountedDeviceSource;
import io.remuda.telemetry.source.DeviceSource;
import java.util.Locale;

/** By what a node's programs are told their GPUs, as in {@code CUDA_VISIBLE_DEVICES}. */
public enum GpuIds {
  /** By number where numbers are known to be right, else by UUID. */
  INDEX,
  /** By UUID. */
  UUID;

  /**
   * Reads {@code gpu-ids} under {@code remuda.agent}.
   *
   * @throws IllegalArgumentException naming the value if it is invalid
   */
  public static GpuIds from(Config agent) {
    return parse("gpu-ids", agent.getString("gpu-ids"));
  }

  /**
   * Reads a value.
   *
   * @param what the name of the option or setting, for the message
   * @throws IllegalArgumentException naming the value if it is invalid
   */
  public static GpuIds parse(String what, String text) {
    for (GpuIds one : values()) {
      if (one.word().equals(text)) {
        return one;
      }
    }
    throw new IllegalArgumentException(what + " must be index or uuid, got '" + text + "'");
  }

  /** Returns the value as it is written in options and settings. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the devices as programs are told them. */
  public DeviceSource of(DeviceSource devices) {
    return this == INDEX ? devices : new UncountedDeviceSource(devices);
  }
}
