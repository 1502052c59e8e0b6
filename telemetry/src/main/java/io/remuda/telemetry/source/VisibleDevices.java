package io.remuda.telemetry.source;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * Evaluates CUDA_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES, with which a batch system names the
 * granted devices.
 */
public final class VisibleDevices {
  private VisibleDevices() {}

  /**
   * Returns the devices that the variable selects, in its order. An entry is a position, a full
   * UUID or the prefix of exactly one UUID, of a GPU or of a MIG instance; an entry that names a
   * partitioned GPU selects all of its instances. An invalid entry, or one that repeats a device,
   * ends the list: that entry and all later ones are ignored. Positions count whole GPUs in PCI
   * order, as in CUDA with {@code CUDA_DEVICE_ORDER=PCI_BUS_ID}.
   *
   * @param devices the devices that this process may open
   * @param variable the variable's value; null selects all, empty selects none
   */
  public static List<DeviceInfo> restrict(List<DeviceInfo> devices, String variable) {
    if (variable == null) {
      return List.copyOf(devices);
    }
    List<DeviceInfo> visible = new ArrayList<>();
    for (String entry : variable.split(",", -1)) {
      List<DeviceInfo> named = find(devices, entry.strip());
      if (named.isEmpty() || named.stream().anyMatch(visible::contains)) {
        break;
      }
      visible.addAll(named);
    }
    return List.copyOf(visible);
  }

  private static List<DeviceInfo> find(List<DeviceInfo> devices, String entry) {
    if (entry.startsWith("GPU-")) {
      return partsOf(devices, only(physical(devices), entry));
    }
    if (entry.startsWith("MIG-")) {
      DeviceId instance = only(devices.stream().map(DeviceInfo::id).toList(), entry);
      return devices.stream().filter(device -> device.id().equals(instance)).toList();
    }
    if (!entry.matches("[0-9]{1,4}")) {
      return List.of();
    }
    int position = Integer.parseInt(entry);
    List<DeviceId> whole = physical(devices);
    return position < whole.size() ? partsOf(devices, whole.get(position)) : List.of();
  }

  private static List<DeviceId> physical(List<DeviceInfo> devices) {
    return devices.stream().map(DeviceInfo::physical).distinct().toList();
  }

  private static List<DeviceInfo> partsOf(List<DeviceInfo> devices, DeviceId gpu) {
    return devices.stream().filter(device -> device.physical().equals(gpu)).toList();
  }

  /** Returns the id with that prefix; null if none or several match. */
  private static DeviceId only(List<DeviceId> ids, String prefix) {
    List<DeviceId> matches = ids.stream().filter(id -> beginsWith(id.uuid(), prefix)).toList();
    return matches.size() == 1 ? matches.get(0) : null;
  }

  private static boolean beginsWith(String uuid, String prefix) {
    return uuid.regionMatches(true, 0, prefix, 0, prefix.length());
  }
}
