package io.remuda.telemetry.nvml;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;

/**
 * The library between nvmlInit and nvmlShutdown, which are always paired: what was opened is shut
 * down exactly once. One thread at a time.
 */
final class NvmlSession {
  private static final int TEXT_BYTES = 96;

  private final Nvml nvml;
  private final NvmlFallback init = new NvmlFallback(NvmlFunction.INIT_V2, NvmlFunction.INIT);
  private final NvmlFallback count = new NvmlFallback(NvmlFunction.COUNT_V2, NvmlFunction.COUNT);
  private final NvmlFallback handleByIndex =
      new NvmlFallback(NvmlFunction.HANDLE_BY_INDEX_V2, NvmlFunction.HANDLE_BY_INDEX);
  private final NvmlFallback pciInfo =
      new NvmlFallback(NvmlFunction.PCI_INFO_V3, NvmlFunction.PCI_INFO_V2, NvmlFunction.PCI_INFO);
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

  /** Opens the library; SUCCESS also when it is open already. */
  NvmlReturn open() {
    if (!open) {
      state = init.call(nvml);
      open = state == NvmlReturn.SUCCESS;
    }
    return state;
  }

  /** Whether the library is open. */
  boolean opened() {
    return open;
  }

  /** What the last opening answered; UNINITIALIZED before it and after shutdown. */
  NvmlReturn state() {
    return state;
  }

  /** Shuts the library down if it is open. */
  void shutdown() {
    if (open) {
      open = false;
      state = NvmlReturn.UNINITIALIZED;
      nvml.call(NvmlFunction.SHUTDOWN);
    }
  }

  /** Number of GPUs; 0 when the driver does not say. */
  int count() {
    return count.call(nvml, out) == NvmlReturn.SUCCESS ? out.getInt(0) : 0;
  }

  /** The handle of a GPU; null when it cannot be had. */
  Pointer handle(int index) {
    return handleByIndex.call(nvml, index, out) == NvmlReturn.SUCCESS ? out.getPointer(0) : null;
  }

  /** The handle of a GPU that was seen earlier, or why there is none. */
  NvmlHandle handle(String uuid) {
    NvmlReturn answer = nvml.call(NvmlFunction.HANDLE_BY_UUID, uuid, out);
    return new NvmlHandle(answer == NvmlReturn.SUCCESS ? out.getPointer(0) : null, answer);
  }

  /** Whether a GPU is divided into MIG instances; not where the driver knows of none. */
  boolean migEnabled(Pointer handle) {
    try (Memory current = new Memory(4);
        Memory pending = new Memory(4)) {
      return nvml.call(NvmlFunction.MIG_MODE, handle, current, pending) == NvmlReturn.SUCCESS
          && current.getInt(0) == 1;
    }
  }

  /** How many slots for instances a divided GPU has; there may be holes among them. */
  int migSlots(Pointer handle) {
    return nvml.call(NvmlFunction.MIG_MAX_COUNT, handle, out) == NvmlReturn.SUCCESS
        ? out.getInt(0)
        : 0;
  }

  /** The handle of the instance in a slot; null for a hole. */
  Pointer migHandle(Pointer handle, int slot) {
    return nvml.call(NvmlFunction.MIG_HANDLE_BY_INDEX, handle, slot, out) == NvmlReturn.SUCCESS
        ? out.getPointer(0)
        : null;
  }

  /** Version of the driver; null when not available. */
  String driverVersion() {
    return text(nvml.call(NvmlFunction.SYSTEM_DRIVER_VERSION, text, TEXT_BYTES));
  }

  /** Identifier of a GPU; null when not available. */
  String uuid(Pointer handle) {
    return text(nvml.call(NvmlFunction.UUID, handle, text, TEXT_BYTES));
  }

  /** Product name of a GPU; null when not available. */
  String name(Pointer handle) {
    return text(nvml.call(NvmlFunction.NAME, handle, text, TEXT_BYTES));
  }

  /** PCI address, with 8 digits of domain where the driver knows them; null when not available. */
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
