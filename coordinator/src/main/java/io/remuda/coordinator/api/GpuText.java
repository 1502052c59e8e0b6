package io.remuda.coordinator.api;

import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.GpuRest;
import io.remuda.coordinator.schedule.model.StrangerMemory;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceProcess;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Texts for what keeps a GPU from being lent: strangers that use it, and a rest. */
public final class GpuText {

  private static final int MOST_NAMED = 3;

  private static final String UNREAD = "who uses it has not been read yet";

  private GpuText() {}

  /** Returns why a device is occupied or rests, or that strangers use it; null if nothing is. */
  public static String note(DeviceOffer device) {
    if (device.rest() != null) {
      return rest(device.rest());
    }
    StrangerMemory strangers = device.strangers();
    if (device.standing() == DeviceOffer.Standing.OCCUPIED && strangers.tolerated() < 0) {
      return UNREAD;
    }
    return strangers.isThere() ? inUse(strangers.bytes(), strangers.processes()) : null;
  }

  static String strangers(WaitReason.GpusOccupied gpu) {
    return gpu.tolerated() < 0
        ? UNREAD
        : inUse(gpu.bytes(), gpu.processes())
            + "; more than "
            + WaitText.bytes(gpu.tolerated())
            + " of others (the node's stranger-memory)";
  }

  private static String inUse(long bytes, List<DeviceProcess> processes) {
    if (processes.isEmpty()) {
      return WaitText.bytes(bytes) + " are in use by processes that its driver does not list";
    }
    int more = processes.size() - MOST_NAMED;
    return processes.stream()
            .limit(MOST_NAMED)
            .map(GpuText::named)
            .collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + " more" : "")
        + (processes.size() == 1 ? " uses " : " use ")
        + WaitText.bytes(bytes);
  }

  /** Returns what a process of no task has of a GPU. */
  public static String stranger(DeviceProcess process) {
    return named(process)
        + " uses "
        + (process.memBytes() == null ? "it" : WaitText.bytes(process.memBytes()));
  }

  private static String named(DeviceProcess process) {
    return "pid "
        + process.pid()
        + (process.command() == null ? "" : " (" + process.command() + ")")
        + (process.user() == null ? "" : " of " + process.user());
  }

  static String rest(GpuRest rest) {
    return rest.failures()
        + " programs in a row failed there at once ("
        + rest.cause()
        + ") that do well elsewhere; it is tried again after "
        + Duration.ofMillis(rest.millis()).toSeconds()
        + " s";
  }

  static String onlySlices(WaitReason.OnlySlices slices) {
    return "has "
        + slices.total()
        + (slices.total() == 1 ? " such GPU" : " such GPUs")
        + ", wanted "
        + slices.wanted()
        + ", and MIG slices ("
        + String.join(", ", slices.models())
        + "), which a task gets one of if it asks for it: --gpus 1 with --gpu-model MIG or"
        + " --gpu-mem";
  }
}
