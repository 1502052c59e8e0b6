package io.remuda.telemetry.nvml;

import io.remuda.telemetry.model.DeviceInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * The meaning of CUDA_VISIBLE_DEVICES, which inside a batch system names the devices that were
 * granted.
 */
public final class VisibleDevices {
  private VisibleDevices() {}

  /**
   * The devices that the variable leaves, in the order in which it names them. An entry is a
   * position, a full UUID or the beginning of exactly one UUID; an entry that is none of these, or
   * names a device again, hides itself and all that follow. Positions count through the given list
   * in PCI order, as CUDA does with {@code CUDA_DEVICE_ORDER=PCI_BUS_ID}.
   *
   * @param devices the devices that this process may open
   * @param variable the variable's value; null leaves all, empty leaves none
   */
  public static List<DeviceInfo> restrict(List<DeviceInfo> devices, String variable) {
    if (variable == null) {
      return List.copyOf(devices);
    }
    List<DeviceInfo> visible = new ArrayList<>();
    for (String entry : variable.split(",", -1)) {
      DeviceInfo device = find(devices, entry.strip());
      if (device == null || visible.contains(device)) {
        break;
      }
      visible.add(device);
    }
    return List.copyOf(visible);
  }

  private static DeviceInfo find(List<DeviceInfo> devices, String entry) {
    if (entry.startsWith("GPU-")) {
      return byUuid(devices, entry);
    }
    if (!entry.matches("[0-9]{1,4}")) {
      return null;
    }
    int position = Integer.parseInt(entry);
    return position < devices.size() ? devices.get(position) : null;
  }

  private static DeviceInfo byUuid(List<DeviceInfo> devices, String prefix) {
    List<DeviceInfo> matches =
        devices.stream().filter(d -> beginsWith(d.id().uuid(), prefix)).toList();
    return matches.size() == 1 ? matches.get(0) : null;
  }

  private static boolean beginsWith(String uuid, String prefix) {
    return uuid.regionMatches(true, 0, prefix, 0, prefix.length());
  }
}
