package io.remuda.telemetry.nvml;

import com.sun.jna.Pointer;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.telemetry.model.MigSlot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Finds the GPUs that an open library lists and that this process may open. */
final class NvmlEnumeration {
  private static final Path OF_KERNEL = Path.of("/proc/driver/nvidia/gpus");

  private final NvmlSession session;
  private final List<NvmlDevice> found = new ArrayList<>();

  /** Whether CUDA counts the GPUs as this process does. */
  private boolean counted = true;

  private NvmlEnumeration(NvmlSession session) {
    this.session = session;
  }

  /**
   * Returns the GPUs in PCI order, with a MIG-partitioned GPU replaced by its instances. Devices
   * without a handle or UUID (lost, not permitted) are omitted.
   *
   * <p>They have no ordinals if one is omitted or is not listed although the kernel has it, as in a
   * device cgroup, and if one is partitioned: of such a machine CUDA shows a program less than all.
   */
  static List<NvmlDevice> of(NvmlSession session) {
    NvmlEnumeration enumeration = new NvmlEnumeration(session);
    String driver = session.driverVersion();
    int count = session.count();
    for (int index = 0; index < count; index++) {
      enumeration.add(index, driver);
    }
    boolean counted = enumeration.counted && ofKernel(OF_KERNEL) <= count;
    return counted
        ? enumeration.found
        : enumeration.found.stream().map(NvmlDevice::uncounted).toList();
  }

  /** Returns how many GPUs the driver has in the kernel, whoever may open them; 0 if unknown. */
  static long ofKernel(Path folder) {
    try (Stream<Path> all = Files.list(folder)) {
      return all.count();
    } catch (IOException noDriver) {
      return 0;
    }
  }

  private void add(int index, String driver) {
    Pointer handle = session.handle(index);
    String uuid = handle == null ? null : session.uuid(handle);
    if (uuid == null || uuid.isBlank()) {
      counted = false;
      return;
    }
    String busId = session.pciBusId(handle);
    if (!session.migEnabled(handle)) {
      add(handle, uuid, index, busId, driver, null);
      return;
    }
    counted = false;
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
            mig,
            mig == null ? index : null);
    found.add(new NvmlDevice(info, reader));
  }
}
