package io.remuda.agent.container;

import io.remuda.telemetry.model.DeviceId;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The devices that an attempt was lent, by vendor.
 *
 * @param nvidia UUIDs of NVIDIA's
 * @param files the device files of NVIDIA's, for an engine that has to be told them
 * @param amd whether there are AMD's; a container then sees all of them, and a variable selects
 */
record LentDevices(List<String> nvidia, List<String> files, boolean amd) {

  /** AMD's identifiers have 16 hexadecimal digits; NVIDIA's have 32 with dashes. */
  private static final Pattern AMD = Pattern.compile("GPU-[0-9a-f]{16}");

  LentDevices {
    nvidia = List.copyOf(nvidia);
    files = List.copyOf(files);
  }

  /** Reads folders of the kernel if there are NVIDIA's. */
  static LentDevices of(List<DeviceId> devices) {
    List<String> others =
        devices.stream().map(DeviceId::uuid).filter(uuid -> !AMD.matcher(uuid).matches()).toList();
    return new LentDevices(
        others,
        others.isEmpty() ? List.of() : NvidiaDeviceFiles.of(Path.of("/"), others),
        others.size() < devices.size());
  }
}
