package io.remuda.agent.actor;

import io.remuda.telemetry.model.DeviceId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The variables by which a task sees its devices and no others. */
final class VisibleTo {

  /** Names that count through what the others leave; nobody may inherit them. */
  static final Set<String> OTHER_NAMES = Set.of("HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL");

  /** ROCm's identifiers have 16 hexadecimal digits, NVIDIA's have dashes among 32. */
  private static final Predicate<String> AMD =
      Pattern.compile("GPU-[0-9a-f]{16}").asMatchPredicate();

  private VisibleTo() {}

  /** For each vendor its own; empty without a device of it, for unset would mean all of them. */
  static Map<String, String> task(List<DeviceId> devices) {
    return Map.of(
        "CUDA_VISIBLE_DEVICES", list(devices, AMD.negate()),
        "CUDA_DEVICE_ORDER", "PCI_BUS_ID",
        "ROCR_VISIBLE_DEVICES", list(devices, AMD));
  }

  private static String list(List<DeviceId> devices, Predicate<String> vendor) {
    return devices.stream().map(DeviceId::uuid).filter(vendor).collect(Collectors.joining(","));
  }
}
