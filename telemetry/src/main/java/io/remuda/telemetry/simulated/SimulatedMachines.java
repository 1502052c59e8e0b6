package io.remuda.telemetry.simulated;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Predefined simulated machines, after commercial products. */
public final class SimulatedMachines {
  private static final Map<String, String> SPECS =
      new TreeMap<>(
          Map.of(
              "dgx-b200", "b200:8",
              "dgx-h200", "h200:8",
              "dgx-h100", "h100:8",
              "dgx-a100", "a100-80:8",
              "dgx-a100-320gb", "a100-40:8",
              "dgx-1", "v100:8",
              "l40s-server", "l40s:4",
              "workstation", "rtx4090:2",
              "cpu-only", "t4:0"));

  private SimulatedMachines() {}

  /** Returns the known names. */
  public static Set<String> names() {
    return Set.copyOf(SPECS.keySet());
  }

  /**
   * Returns the machine of a name.
   *
   * @throws IllegalArgumentException for an unknown name
   */
  public static SimulatedMachine named(String name, String seed) {
    String spec = SPECS.get(name);
    if (spec == null) {
      throw new IllegalArgumentException(
          "no machine '" + name + "'; known are " + String.join(", ", SPECS.keySet()));
    }
    return SimulatedMachine.parse(spec, seed);
  }

  public static SimulatedMachine dgxH200(String seed) {
    return named("dgx-h200", seed);
  }

  public static SimulatedMachine dgxH100(String seed) {
    return named("dgx-h100", seed);
  }

  public static SimulatedMachine dgxA100(String seed) {
    return named("dgx-a100", seed);
  }
}
