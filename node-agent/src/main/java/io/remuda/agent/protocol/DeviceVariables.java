package io.remuda.agent.protocol;

import io.remuda.telemetry.model.DeviceId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The environment variables that limit a task to its devices. */
public final class DeviceVariables {

  /** Variables that renumber what the others select; a task must not inherit them. */
  public static final Set<String> OTHER_NAMES = Set.of("HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL");

  /** AMD identifiers have 16 hexadecimal digits; NVIDIA's have 32 with dashes. */
  private static final Predicate<String> AMD =
      Pattern.compile("GPU-[0-9a-f]{16}").asMatchPredicate();

  private DeviceVariables() {}

  /**
   * Returns the variables of each vendor. They are empty, not unset, for a vendor without a device,
   * because unset would mean all devices.
   */
  public static Map<String, String> task(List<DeviceId> devices) {
    return Map.of(
        "CUDA_VISIBLE_DEVICES", list(devices, AMD.negate()),
        "CUDA_DEVICE_ORDER", "PCI_BUS_ID",
        "ROCR_VISIBLE_DEVICES", list(devices, AMD));
  }

  /**
   * Returns variables that keep frameworks from reserving memory that they do not need, for a task
   * that shares devices or is measured. By default TensorFlow takes all memory and JAX three
   * quarters.
   */
  public static Map<String, String> sharing() {
    return Map.of("TF_FORCE_GPU_ALLOW_GROWTH", "true", "XLA_PYTHON_CLIENT_PREALLOCATE", "false");
  }

  private static String list(List<DeviceId> devices, Predicate<String> vendor) {
    return devices.stream().map(DeviceId::uuid).filter(vendor).collect(Collectors.joining(","));
  }
}
