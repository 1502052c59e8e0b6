package io.remuda.telemetry.nvml;

import com.sun.jna.Pointer;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.Vendor;
import java.util.ArrayList;
import java.util.List;

/** Finds the GPUs that an open library shows and that this process may open. */
final class NvmlEnumeration {
  private final NvmlSession session;
  private final List<NvmlDevice> found = new ArrayList<>();

  private NvmlEnumeration(NvmlSession session) {
    this.session = session;
  }

  /** The GPUs in PCI order; one without a handle or UUID (lost, not permitted) is left out. */
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
    NvmlReader reader = new NvmlReader(session.nvml(), handle);
    String name = session.name(handle);
    DeviceInfo info =
        new DeviceInfo(
            new DeviceId(uuid),
            index,
            Vendor.NVIDIA,
            name == null ? "NVIDIA GPU" : name,
            session.pciBusId(handle),
            Math.max(0, reader.memoryTotal()),
            driver);
    found.add(new NvmlDevice(info, reader));
  }
}
