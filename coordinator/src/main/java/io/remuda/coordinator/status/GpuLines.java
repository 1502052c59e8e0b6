package io.remuda.coordinator.status;

import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.render.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Formats a line for each GPU, as gpustat does: {@code gpu1 [0] NVIDIA H200 | 61°C, 37 %, 250 / 700
 * W | 1024 / 143771 MiB | task 1.0 of RUN}.
 */
public final class GpuLines {

  private static final double MEGABYTE = 1 << 20;

  private GpuLines() {}

  /** Returns the lines; a node that has no GPU or does not answer has one line that states it. */
  public static List<String> of(List<RunNodesStatus> statuses) {
    int name = width(statuses, RunNodesStatus.GpuStatus::name);
    int node =
        statuses.stream()
            .flatMap(status -> status.nodes().stream())
            .mapToInt(one -> PrintableText.columns(PrintableText.of(one.name())))
            .max()
            .orElse(0);
    int number = width(statuses, RunNodesStatus.GpuStatus::number);
    List<String> lines = new ArrayList<>();
    for (RunNodesStatus status : statuses) {
      for (RunNodesStatus.NodeStatus one : status.nodes()) {
        String head = pad(one.name(), node);
        if (!one.reachable()) {
          lines.add(head + " does not answer");
        } else if (one.gpus().isEmpty()) {
          lines.add(head + " no GPU" + load(one));
        } else {
          one.gpus().forEach(gpu -> lines.add(head + line(gpu, number, name, status.run())));
        }
      }
    }
    return lines;
  }

  private static int width(
      List<RunNodesStatus> statuses, Function<RunNodesStatus.GpuStatus, String> part) {
    return statuses.stream()
        .flatMap(status -> status.nodes().stream())
        .flatMap(node -> node.gpus().stream())
        .mapToInt(gpu -> PrintableText.columns(PrintableText.of(part.apply(gpu))))
        .max()
        .orElse(0);
  }

  private static String load(RunNodesStatus.NodeStatus node) {
    return node.load1() == null ? "" : String.format(Locale.ROOT, ", load %.2f", node.load1());
  }

  private static String line(RunNodesStatus.GpuStatus gpu, int number, int name, String run) {
    StringBuilder line = new StringBuilder();
    line.append(" [").append(pad(gpu.number(), number)).append("] ").append(pad(gpu.name(), name));
    if (gpu.health() == DeviceHealth.LOST || gpu.health() == DeviceHealth.STALE) {
      line.append(" | ").append(gpu.health() == DeviceHealth.LOST ? "lost" : "no readings");
    } else {
      line.append(" | ").append(readings(gpu));
      line.append(" | ").append(memory(gpu));
    }
    if (gpu.task() != null) {
      line.append(" | task ")
          .append(gpu.task())
          .append(" of ")
          .append(PrintableText.of(String.valueOf(run)));
    }
    if (Boolean.TRUE.equals(gpu.draining())) {
      line.append(" | draining");
      if (gpu.drainReason() != null) {
        line.append(" (").append(PrintableText.of(gpu.drainReason())).append(")");
      }
    }
    if (gpu.note() != null) {
      line.append(" | ").append(PrintableText.of(gpu.note()));
    }
    return line.toString();
  }

  private static String readings(RunNodesStatus.GpuStatus gpu) {
    String temperature =
        gpu.temperatureCelsius() == null ? " n/a" : gpu.temperatureCelsius() + "°C";
    String util =
        gpu.utilization() == null
            ? " n/a"
            : String.format(Locale.ROOT, "%3d %%", gpu.utilization());
    String power =
        gpu.powerWatts() == null ? "" : String.format(Locale.ROOT, ", %3.0f", gpu.powerWatts());
    String limit =
        gpu.powerLimitWatts() == null
            ? " W"
            : String.format(Locale.ROOT, " / %3.0f W", gpu.powerLimitWatts());
    return temperature + ", " + util + (power.isEmpty() ? "" : power + limit);
  }

  private static String memory(RunNodesStatus.GpuStatus gpu) {
    return megabytes(gpu.memoryUsedBytes()) + " / " + megabytes(gpu.memoryTotalBytes()) + " MiB";
  }

  private static String megabytes(Long bytes) {
    return bytes == null
        ? "   n/a"
        : String.format(Locale.ROOT, "%6.0f", Math.floor(bytes / MEGABYTE));
  }

  private static String pad(String text, int width) {
    String shown = PrintableText.of(text);
    return shown + " ".repeat(Math.max(0, width - PrintableText.columns(shown)));
  }
}
