package io.remuda.coordinator.cli.top;

import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;

/**
 * The widths of the columns of GPUs. A terminal's width goes to the bar first, then to the model,
 * then to temperature and power, then to the curve.
 *
 * @param node width of the nodes' names
 * @param number width of the GPUs' numbers
 * @param bar width with its brackets
 * @param bytes width of used and total memory
 * @param model width of the model; 0 if it is not shown
 * @param heat whether temperature and power are shown
 * @param curve whether the curve of the last quarter of an hour is shown
 */
record GpuColumnWidths(
    int node, int number, int bar, int bytes, int model, boolean heat, boolean curve) {

  private static final double GIBIBYTE = 1L << 30;
  private static final int LEAST_BAR = 8;
  private static final int USUAL_BAR = 46;
  private static final int MOST_BAR = 66;
  private static final int MOST_MODEL = 24;
  private static final int HEAT = 11;
  private static final String NVIDIA = "NVIDIA ";

  /**
   * @param curves whether there are any
   */
  static GpuColumnWidths of(List<TopScreenData.Gpu> gpus, int width, boolean curves) {
    boolean unlimited = width == TopLines.UNLIMITED;
    int widestNode = widest(gpus, gpu -> TextWidthFitter.width(gpu.node()));
    int node = Math.max(4, unlimited ? widestNode : Math.min(widestNode, width / 6));
    int number = Math.max(3, widest(gpus, gpu -> gpu.number().length()));
    int bytes = Math.max(3, widest(gpus, gpu -> inGibibytes(gpu).length()));
    int model =
        Math.min(MOST_MODEL, Math.max(5, widest(gpus, gpu -> TextWidthFitter.width(model(gpu)))));
    int room = width - node - 1 - number - 6 - 1 - bytes;
    boolean withModel = room - model - 1 >= USUAL_BAR;
    room -= withModel ? model + 1 : 0;
    boolean withHeat = withModel && room - HEAT >= USUAL_BAR;
    room -= withHeat ? HEAT : 0;
    boolean withCurve = curves && withHeat && room - TopCurves.POINTS - 1 >= USUAL_BAR;
    room -= withCurve ? TopCurves.POINTS + 1 : 0;
    int bar = unlimited ? USUAL_BAR : Math.max(LEAST_BAR, Math.min(MOST_BAR, room));
    return new GpuColumnWidths(
        node, number, bar, bytes, withModel ? model : 0, withHeat, withCurve);
  }

  private static int widest(List<TopScreenData.Gpu> gpus, ToIntFunction<TopScreenData.Gpu> part) {
    return gpus.stream().mapToInt(part).max().orElse(0);
  }

  static String model(TopScreenData.Gpu gpu) {
    String model = gpu.model();
    return model.startsWith(NVIDIA) ? model.substring(NVIDIA.length()) : model;
  }

  String bytes(TopScreenData.Gpu gpu) {
    return inGibibytes(gpu);
  }

  private static String inGibibytes(TopScreenData.Gpu gpu) {
    if (gpu.used() == null && gpu.total() == 0) {
      return "n/a";
    }
    return (gpu.used() == null ? "?" : gibibytes(gpu.used()))
        + "/"
        + (gpu.total() == 0 ? "?" : gibibytes(gpu.total()));
  }

  private static String gibibytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f", bytes / GIBIBYTE);
  }
}
