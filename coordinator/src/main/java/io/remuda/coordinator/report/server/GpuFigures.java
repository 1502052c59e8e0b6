package io.remuda.coordinator.report.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.drawing.UnitText;
import io.remuda.coordinator.report.ReportBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What GPUs did in a time, by their readings.
 *
 * @param kilowattHours energy of all; NaN if no power is known
 */
record GpuFigures(List<List<String>> rows, double kilowattHours) {

  private static final double JOULES_OF_KILOWATT_HOUR = 3_600_000;
  private static final double PERCENT = 100;

  /**
   * @param history an answer of the server about GPUs
   * @param names of GPUs by UUID
   */
  static GpuFigures of(JsonNode history, Map<String, String> names) {
    double step = Math.max(1, history.path("step").asDouble());
    List<List<String>> rows = new ArrayList<>();
    double sum = Double.NaN;
    for (JsonNode series : history.path("series")) {
      String uuid = series.path("name").asText();
      double[] busy = sum(series, "utilization");
      double[] power = sum(series, "power");
      double[] memory = sum(series, "memoryUsed");
      double energy = power[1] == 0 ? Double.NaN : power[0] * step / JOULES_OF_KILOWATT_HOUR;
      if (!Double.isNaN(energy)) {
        sum = Double.isNaN(sum) ? energy : sum + energy;
      }
      rows.add(
          List.of(
              names.getOrDefault(uuid, uuid),
              mean(busy, "ratio"),
              mean(memory, "bytes"),
              mean(power, "watts"),
              Double.isNaN(energy) ? "unknown" : UnitText.of(energy, "kWh"),
              busy[2] == 0 ? "" : Math.round(PERCENT * busy[1] / busy[2]) + " %"));
    }
    return new GpuFigures(rows, sum);
  }

  /** Returns the sum of the known means of a metric, their number and that of all points. */
  private static double[] sum(JsonNode series, String metric) {
    double[] sum = new double[3];
    for (JsonNode curve : series.path("curves")) {
      if (curve.path("metric").asText().equals(metric)) {
        for (JsonNode value : curve.path("mean")) {
          sum[2]++;
          if (value.isNumber()) {
            sum[0] += value.asDouble();
            sum[1]++;
          }
        }
      }
    }
    return sum;
  }

  private static String mean(double[] sum, String unit) {
    return sum[1] == 0 ? "unknown" : UnitText.of(sum[0] / sum[1], unit);
  }

  ReportBlock table() {
    return new ReportBlock.Table(
        List.of(
            "GPU", ">Mean use", ">Mean memory", ">Mean power", ">Energy", ">Time with readings"),
        rows);
  }
}
