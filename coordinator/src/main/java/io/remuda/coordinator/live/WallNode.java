package io.remuda.coordinator.live;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.telemetry.model.HostSample;
import java.util.Locale;

/**
 * A node as it is drawn.
 *
 * @param what what seldom changes
 * @param readings what changes each second
 */
record WallNode(@JsonUnwrapped What what, @JsonUnwrapped Readings readings) {

  private static final double THOUSANDTHS = 1000;
  private static final double HUNDREDTHS = 100;
  private static final double TENTHS = 10;

  /**
   * What seldom changes of a node.
   *
   * @param note why it starts nothing at the moment, or null
   * @param tasks that have a place on it
   * @param silentSince since when there is no new sample of it, in seconds since 1970; null while
   *     there is
   */
  record What(
      String name,
      String state,
      String note,
      double cpus,
      long memoryMib,
      int tasks,
      Long silentSince) {}

  /**
   * The newest sample of a node; null before the first.
   *
   * @param cpu share of its CPU time that is not idle, from 0 to 1
   * @param load mean load of the last minute
   */
  record Readings(Double cpu, Long usedMib, Double load) {}

  static WallNode of(NodeOffer node, int tasks, HostSample host, Long silentSince) {
    return new WallNode(
        new What(
            node.node(),
            node.presence().name().toLowerCase(Locale.ROOT),
            node.pause() == null ? null : WaitText.pause(node.pause()),
            node.cpus().total() / THOUSANDTHS,
            WallGpu.mebibytes(node.memory().total()),
            tasks,
            silentSince),
        new Readings(
            host == null ? null : rounded(host.cpuBusyRatio(), HUNDREDTHS),
            host == null ? null : WallGpu.mebibytes(host.memTotal() - host.memAvailable()),
            host == null ? null : rounded(host.load1(), TENTHS)));
  }

  private static Double rounded(Double value, double steps) {
    return value == null || value.isNaN() ? null : Double.valueOf(Math.rint(value * steps) / steps);
  }
}
