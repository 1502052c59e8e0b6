package io.remuda.telemetry.nvml;

import com.sun.jna.Pointer;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.telemetry.model.MigSlot;
import java.util.ArrayList;
import java.util.List;

/** Finds the GPUs that an open library lists and that this process may open. */
final class NvmlEnumeration {
  private final NvmlSession session;
  private final List<NvmlDevice> found = new ArrayList<>();

  private NvmlEnumeration(NvmlSession session) {
    this.session = session;
  }

  /**
   * Returns the GPUs in PCI order, with a MIG-partitioned GPU replaced by its instances. Devices
   * without a handle or UUID (lost, not permitted) are omitted.
   */
  static List<NvmlDevice> of(NvmlSession session) {
    NvmlEnumeration enumeration = new NvmlEnumeration(session);
    String driver = session.driverVersion();
    int count = session.count();
    for (int index = 0; index < count; index++) {
      enumeration.add(index, driver);
    }
    return enumeration.found;
  }

  private void add(int index, String driver) {
    Pointer handle = session.handle(index);
    String uuid = handle == null ? null : session.uuid(handle);
    if (uuid == null || uuid.isBlank()) {
      return;
    }
    String busId = session.pciBusId(handle);
    if (!session.migEnabled(handle)) {
      add(handle, uuid, index, busId, driver, null);
      return;
    }
    for (int slot = 0; slot < session.migSlots(handle); slot++) {
      Pointer instance = session.migHandle(handle, slot);
      String own = instance == null ? null : session.uuid(instance);
      if (own != null && !own.isBlank()) {
        MigSlot place = new MigSlot(new DeviceId(uuid), slot);
        add(instance, own, index, busId, driver, place);
      }
    }
  }

  private void add(
      Pointer handle, String uuid, int index, String busId, String driver, MigSlot mig) {
    NvmlReader reader = new NvmlReader(session.nvml(), handle);
    String name = session.name(handle);
    DeviceInfo info =
        new DeviceInfo(
            new DeviceId(uuid),
            index,
            DeviceVendor.NVIDIA,
            name == null ? "NVIDIA GPU" : name,
            busId,
            Math.max(0, reader.memoryTotal()),
            driver,
            mig);
    found.add(new NvmlDevice(info, reader));
  }
}
