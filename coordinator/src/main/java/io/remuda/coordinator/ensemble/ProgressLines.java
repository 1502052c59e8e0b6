package io.remuda.coordinator.ensemble;

import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.telemetry.render.PythonFloat;
import io.remuda.telemetry.window.DeviceSummary;
import io.remuda.telemetry.window.UtilizationSummary;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.Locale;

/** Formats lines of progress for users. */
final class ProgressLines {

  private static final double GIBIBYTE = 1L << 30;

  private ProgressLines() {}

  static String learningRate(double rate) {
    return "learning rate " + PythonFloat.repr(rate);
  }

  static String interrupted(String who, TaskChange change) {
    return who
        + " was interrupted on node "
        + change.node()
        + " ("
        + change.cause()
        + "); it runs again";
  }

  /** Returns a line that summarises a node's telemetry over the run. */
  static String summary(UtilizationSummary node) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "node %s: %d samples, cpu load mean %.2f max %.2f",
            node.node(),
            node.samples(),
            node.meanLoad1(),
            node.maxLoad1()));
    for (DeviceSummary device : node.devices()) {
      text.append("; device # ").append(device.number()).append(utilization(device));
    }
    return text.toString();
  }

  private static String utilization(DeviceSummary device) {
    String utilization =
        device.meanUtil() == null
            ? " utilization n/a"
            : String.format(
                Locale.ROOT,
                " utilization mean %.0f%% p95 %d%% max %d%%",
                device.meanUtil(),
                device.p95Util(),
                device.maxUtil());
    String memory =
        device.peakMemoryBytes() == null
            ? ""
            : String.format(
                Locale.ROOT, " memory peak %.1f GiB", device.peakMemoryBytes() / GIBIBYTE);
    return utilization + memory;
  }

  static String epoch(double rate, WorkerEvent.EpochDone epoch) {
    return String.format(
        Locale.ROOT,
        "%s: epoch %d/%d loss %.4f accuracy %.2f %% (%.1f s)",
        learningRate(rate),
        epoch.epoch(),
        epoch.epochs(),
        epoch.testLoss(),
        epoch.accuracy(),
        epoch.seconds());
  }
}
