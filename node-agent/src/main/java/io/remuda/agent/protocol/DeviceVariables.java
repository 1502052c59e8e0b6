package io.remuda.agent.protocol;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceVendor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The environment variables that limit a task to its devices. */
public final class DeviceVariables {

  /** The devices of CUDA that a program sees. */
  public static final String CUDA = "CUDA_VISIBLE_DEVICES";

  private static final String CUDA_ORDER = "CUDA_DEVICE_ORDER";
  private static final String ROCR = "ROCR_VISIBLE_DEVICES";
  private static final String HIP = "HIP_VISIBLE_DEVICES";

  /** All that choose or renumber devices; a task inherits none of them. */
  public static final Set<String> NAMES = Set.of(CUDA, CUDA_ORDER, ROCR, HIP, "GPU_DEVICE_ORDINAL");

  /** AMD identifiers have 16 hexadecimal digits; NVIDIA's have 32 with dashes. */
  private static final Predicate<String> AMD =
      Pattern.compile("GPU-[0-9a-f]{16}").asMatchPredicate();

  private DeviceVariables() {}

  /**
   * Returns the variables of each vendor. They are empty, not unset, for a vendor without a device,
   * because unset would mean all devices. Those of AMD are set only on a node with AMD's GPUs,
   * since programs take them as a sign of these.
   *
   * <p>Devices are named by their ordinals, which more programs understand, if all of a vendor have
   * one; else by UUID. ROCm's runtime leaves the chosen ones to HIP, which counts them anew.
   *
   * @param lent devices of the task
   * @param node devices of its node
   */
  public static Map<String, String> task(List<DeviceId> lent, List<DeviceInfo> node) {
    Map<String, String> all = new HashMap<>();
    all.put(CUDA, list(lent, AMD.negate(), node));
    all.put(CUDA_ORDER, "PCI_BUS_ID");
    long amd = lent.stream().map(DeviceId::uuid).filter(AMD).count();
    if (amd > 0 || node.stream().anyMatch(device -> device.vendor() == DeviceVendor.AMD)) {
      all.put(ROCR, list(lent, AMD, node));
      all.put(
          HIP,
          IntStream.range(0, (int) amd)
              .mapToObj(Integer::toString)
              .collect(Collectors.joining(",")));
    }
    return all;
  }

  /**
   * Returns variables that keep frameworks from reserving memory that they do not need, for a task
   * that shares devices or is measured. By default TensorFlow takes all memory and JAX three
   * quarters.
   */
  public static Map<String, String> sharing() {
    return Map.of("TF_FORCE_GPU_ALLOW_GROWTH", "true", "XLA_PYTHON_CLIENT_PREALLOCATE", "false");
  }

  private static String list(List<DeviceId> lent, Predicate<String> vendor, List<DeviceInfo> node) {
    List<String> uuids = lent.stream().map(DeviceId::uuid).filter(vendor).toList();
    List<String> numbers =
        uuids.stream()
            .flatMap(
                uuid ->
                    node.stream()
                        .filter(device -> device.id().uuid().equals(uuid))
                        .filter(device -> device.ordinal() != null)
                        .map(device -> device.ordinal().toString()))
            .toList();
    return String.join(",", numbers.size() == uuids.size() ? numbers : uuids);
  }
}
