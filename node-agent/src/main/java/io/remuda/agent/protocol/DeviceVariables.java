package io.remuda.agent.protocol;

import io.remuda.telemetry.model.DeviceId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The variables by which a task sees its devices and no others. */
public final class DeviceVariables {

  /** Names that count through what the others leave; nobody may inherit them. */
  public static final Set<String> OTHER_NAMES = Set.of("HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL");

  /** ROCm's identifiers have 16 hexadecimal digits, NVIDIA's have dashes among 32. */
  private static final Predicate<String> AMD =
      Pattern.compile("GPU-[0-9a-f]{16}").asMatchPredicate();

  private DeviceVariables() {}

  /** For each vendor its own; empty without a device of it, for unset would mean all of them. */
  public static Map<String, String> task(List<DeviceId> devices) {
    return Map.of(
        "CUDA_VISIBLE_DEVICES", list(devices, AMD.negate()),
        "CUDA_DEVICE_ORDER", "PCI_BUS_ID",
        "ROCR_VISIBLE_DEVICES", list(devices, AMD));
  }

  /**
   * Keeps frameworks from taking memory that they do not need, for a task that shares devices or is
   * measured: else TensorFlow takes all there is, and JAX three quarters of it.
   */
  public static Map<String, String> sharing() {
    return Map.of("TF_FORCE_GPU_ALLOW_GROWTH", "true", "XLA_PYTHON_CLIENT_PREALLOCATE", "false");
  }

  private static String list(List<DeviceId> devices, Predicate<String> vendor) {
    return devices.stream().map(DeviceId::uuid).filter(vendor).collect(Collectors.joining(","));
  }
}
