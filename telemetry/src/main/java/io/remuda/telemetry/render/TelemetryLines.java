package io.remuda.telemetry.render;

import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import java.util.Locale;

/** The plain-text form of a sample: one line, for users and for scripts that use grep. */
public final class TelemetryLines {
  private TelemetryLines() {}

  /**
   * Returns the load of the node and the utilisation of its first device, without a line end:
   * {@code nodename: pinoak0034 cpu load average 1 minute: 0.17 device # 0 utilization: 10.00%}.
   * Without a device the line ends after the load; an unavailable utilisation is written {@code
   * n/a}.
   */
  public static String plain(NodeSample s) {
    String line =
        "nodename: "
            + s.node()
            + " cpu load average 1 minute: "
            + PythonFloat.repr(s.host().load1());
    return s.devices().isEmpty() ? line : line + device(s.devices().get(0));
  }

  private static String device(DeviceSample device) {
    Integer util = device.utilGpu();
    String text = util == null ? "n/a" : String.format(Locale.ROOT, "%.2f%%", util.doubleValue());
    return " device # " + device.number() + " utilization: " + text;
  }
}
