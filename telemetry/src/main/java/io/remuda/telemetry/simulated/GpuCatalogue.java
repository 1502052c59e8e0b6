package io.remuda.telemetry.simulated;

import static io.remuda.telemetry.simulated.GpuModel.Cooling.FAN;
import static io.remuda.telemetry.simulated.GpuModel.Cooling.PASSIVE;

import io.remuda.telemetry.simulated.GpuModel.Cooling;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The GPU models of simulated machines; memory sizes are as their drivers report them. */
public final class GpuCatalogue {
  /** Maximum number of GPUs of one model in a simulated machine. */
  static final int MOST = 64;

  private static final long MIB = 1024L * 1024;

  private static final List<GpuModel> MODELS =
      List.of(
          model("b200", "NVIDIA B200", 183_359, 1_000, 1_965, 3_996, PASSIVE),
          model("h200", "NVIDIA H200", 143_771, 700, 1_980, 3_201, PASSIVE),
          model("h100", "NVIDIA H100 80GB HBM3", 81_559, 700, 1_980, 2_619, PASSIVE),
          model("h100-pcie", "NVIDIA H100 PCIe", 81_559, 350, 1_755, 1_593, PASSIVE),
          model("a100-80", "NVIDIA A100-SXM4-80GB", 81_920, 400, 1_410, 1_593, PASSIVE),
          model("a100-40", "NVIDIA A100-SXM4-40GB", 40_960, 400, 1_410, 1_215, PASSIVE),
          model("a30", "NVIDIA A30", 24_576, 165, 1_440, 1_215, PASSIVE),
          model("a10", "NVIDIA A10", 23_028, 150, 1_695, 6_251, PASSIVE),
          model("l40s", "NVIDIA L40S", 46_068, 350, 2_520, 9_001, PASSIVE),
          model("l4", "NVIDIA L4", 23_034, 72, 2_040, 6_251, PASSIVE),
          model("rtx4090", "NVIDIA GeForce RTX 4090", 24_564, 450, 2_520, 10_501, FAN),
          model("rtx3090", "NVIDIA GeForce RTX 3090", 24_576, 350, 1_695, 9_751, FAN),
          model("v100", "Tesla V100-SXM2-16GB", 16_160, 300, 1_530, 877, PASSIVE),
          model("v100-32", "Tesla V100-SXM2-32GB", 32_510, 300, 1_530, 877, PASSIVE),
          model("t4", "Tesla T4", 15_360, 70, 1_590, 5_001, PASSIVE));

  private static final Map<String, GpuModel> BY_KEY = byKey();

  private GpuCatalogue() {}

  /** Returns all models, newest families first. */
  public static List<GpuModel> models() {
    return MODELS;
  }

  /**
   * Returns the model of a short name; {@code a100} means the 80 GB model.
   *
   * @throws IllegalArgumentException for an unknown name; the message lists the known names
   */
  public static GpuModel model(String key) {
    GpuModel model = BY_KEY.get(key.strip().toLowerCase(Locale.ROOT));
    if (model == null) {
      throw new IllegalArgumentException(
          "no GPU model '"
              + key
              + "'"
              + (key.strip().matches("\\d+")
                  ? " (write MODEL:COUNT, as h100:" + withinLimit(key.strip()) + ")"
                  : "")
              + "; known are "
              + String.join(", ", BY_KEY.keySet()));
    }
    return model;
  }

  /** Returns the count, or the largest one that a machine may have. */
  private static String withinLimit(String count) {
    return count.length() > 2 || Integer.parseInt(count) > MOST ? Integer.toString(MOST) : count;
  }

  private static Map<String, GpuModel> byKey() {
    Map<String, GpuModel> byKey = new LinkedHashMap<>();
    MODELS.forEach(model -> byKey.put(model.key(), model));
    byKey.put("a100", byKey.get("a100-80"));
    return byKey;
  }

  private static GpuModel model(
      String key, String name, long mib, int watts, int sm, int mem, Cooling cooling) {
    return new GpuModel(key, name, mib * MIB, watts * 1000, sm, mem, cooling);
  }
}
