package io.remuda.coordinator.simulate;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How well tasks were placed, as the FGD paper measures it: the GPUs that tasks have, in percent of
 * all, by the percentage that was asked for.
 */
public final class PlacementSummary {

  private static final double PERCENT = 100;
  private static final int WHOLE = 1000;

  private final Map<Long, double[]> byAsked = new TreeMap<>();
  private final long[] nanos;
  private final int notPlaced;
  private final double atEnd;

  private PlacementSummary(List<PlacementSimulation.Placed> placed, int gpus) {
    double all = Math.max(1, (double) gpus * WHOLE);
    long asked = 0;
    long given = 0;
    int without = 0;
    for (PlacementSimulation.Placed one : placed) {
      asked += one.gpuThousandths();
      if (one.node().isEmpty()) {
        without++;
      } else {
        given += one.gpuThousandths();
      }
      double[] sum =
          byAsked.computeIfAbsent(Math.round(asked / all * PERCENT), at -> new double[2]);
      sum[0] += given / all * PERCENT;
      sum[1]++;
    }
    this.notPlaced = without;
    this.atEnd = given / all * PERCENT;
    this.nanos = placed.stream().mapToLong(PlacementSimulation.Placed::nanos).sorted().toArray();
  }

  public static PlacementSummary of(List<PlacementSimulation.Placed> placed, int gpus) {
    return new PlacementSummary(placed, gpus);
  }

  /** Returns the percentage of the GPUs that tasks had when so many percent were asked for. */
  public double gpusAt(long askedPercent) {
    double[] sum = byAsked.get(askedPercent);
    return sum == null ? Double.NaN : sum[0] / sum[1];
  }

  /** Returns the percentage of the GPUs that tasks have after the last one has come. */
  public double gpusAtEnd() {
    return atEnd;
  }

  public int notPlaced() {
    return notPlaced;
  }

  /** Returns how long decisions took at most, but for a part of them; 0 without any. */
  public long nanos(double quantile) {
    return nanos.length == 0 ? 0 : nanos[(int) Math.min(nanos.length - 1, nanos.length * quantile)];
  }
}
