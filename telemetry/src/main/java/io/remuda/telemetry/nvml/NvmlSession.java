package io.remuda.telemetry.nvml;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;

/**
 * A session of the library from nvmlInit to nvmlShutdown. Each successful nvmlInit is followed by
 * exactly one nvmlShutdown. One thread at a time.
 */
final class NvmlSession {
  private static final int TEXT_BYTES = 96;

  private final Nvml nvml;
  private final NvmlFunctionVersions init =
      new NvmlFunctionVersions(NvmlFunction.INIT_V2, NvmlFunction.INIT);
  private final NvmlFunctionVersions count =
      new NvmlFunctionVersions(NvmlFunction.COUNT_V2, NvmlFunction.COUNT);
  private final NvmlFunctionVersions handleByIndex =
      new NvmlFunctionVersions(NvmlFunction.HANDLE_BY_INDEX_V2, NvmlFunction.HANDLE_BY_INDEX);
  private final NvmlFunctionVersions pciInfo =
      new NvmlFunctionVersions(
          NvmlFunction.PCI_INFO_V3, NvmlFunction.PCI_INFO_V2, NvmlFunction.PCI_INFO);
  private final Memory out = new Memory(8);
  private final Memory text = new Memory(TEXT_BYTES);
  private volatile boolean open;
  private NvmlReturn state = NvmlReturn.UNINITIALIZED;

  NvmlSession(Nvml nvml) {
    this.nvml = nvml;
  }

  Nvml nvml() {
    return nvml;
  }

  /** Opens the library; returns SUCCESS also when it is open already. */
  NvmlReturn open() {
    if (!open) {
      state = init.call(nvml);
      open = state == NvmlReturn.SUCCESS;
    }
    return state;
  }

  /** Returns whether the library is open. */
  boolean opened() {
    return open;
  }

  /** Shuts the library down if it is open. */
  void shutdown() {
    if (open) {
      open = false;
      state = NvmlReturn.UNINITIALIZED;
      nvml.call(NvmlFunction.SHUTDOWN);
    }
  }

  /** Returns the number of GPUs; 0 when the driver does not report it. */
  int count() {
    return count.call(nvml, out) == NvmlReturn.SUCCESS ? out.getInt(0) : 0;
  }

  /** Returns the handle of a GPU; null when the driver gives none. */
  Pointer handle(int index) {
    return handleByIndex.call(nvml, index, out) == NvmlReturn.SUCCESS ? out.getPointer(0) : null;
  }

  /** Looks up the handle of a known GPU by its UUID. */
  NvmlHandle handle(String uuid) {
    NvmlReturn answer = nvml.call(NvmlFunction.HANDLE_BY_UUID, uuid, out);
    return new NvmlHandle(answer == NvmlReturn.SUCCESS ? out.getPointer(0) : null, answer);
  }

  /** Returns whether MIG is enabled on a GPU; false if the driver does not support the query. */
  boolean migEnabled(Pointer handle) {
    try (Memory current = new Memory(4);
        Memory pending = new Memory(4)) {
      return nvml.call(NvmlFunction.MIG_MODE, handle, current, pending) == NvmlReturn.SUCCESS
          && current.getInt(0) == 1;
    }
  }

  /** Returns the number of MIG instance slots of a GPU; some slots may be empty. */
  int migSlots(Pointer handle) {
    return nvml.call(NvmlFunction.MIG_MAX_COUNT, handle, out) == NvmlReturn.SUCCESS
        ? out.getInt(0)
        : 0;
  }

  /** Returns the handle of the instance in a slot; null for an empty slot. */
  Pointer migHandle(Pointer handle, int slot) {
    return nvml.call(NvmlFunction.MIG_HANDLE_BY_INDEX, handle, slot, out) == NvmlReturn.SUCCESS
        ? out.getPointer(0)
        : null;
  }

  /** Returns the driver version; null when not available. */
  String driverVersion() {
    return text(nvml.call(NvmlFunction.SYSTEM_DRIVER_VERSION, text, TEXT_BYTES));
  }

  /** Returns the UUID of a GPU; null when not available. */
  String uuid(Pointer handle) {
    return text(nvml.call(NvmlFunction.UUID, handle, text, TEXT_BYTES));
  }

  /** Returns the product name of a GPU; null when not available. */
  String name(Pointer handle) {
    return text(nvml.call(NvmlFunction.NAME, handle, text, TEXT_BYTES));
  }

  /**
   * Returns the PCI address, with an 8-digit domain if the driver supports it; null when not
   * available.
   */
  String pciBusId(Pointer handle) {
    text.clear();
    if (pciInfo.call(nvml, handle, text) != NvmlReturn.SUCCESS) {
      return null;
    }
    boolean longForm = pciInfo.version() == NvmlFunction.PCI_INFO_V3;
    return text.getString(longForm ? 36 : 0, "US-ASCII");
  }

  private String text(NvmlReturn answer) {
    return answer == NvmlReturn.SUCCESS ? text.getString(0, "US-ASCII") : null;
  }
}
