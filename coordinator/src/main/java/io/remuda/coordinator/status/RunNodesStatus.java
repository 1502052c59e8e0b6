package io.remuda.coordinator.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The nodes of a run at one moment, for programs: the format of {@code status.json} in the run's
 * folder and of {@code remuda gpus --json}. A value that is not available is left out.
 *
 * @param run its name; null for a machine that belongs to no run
 * @param nodes in the order of their names
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record RunNodesStatus(String run, List<NodeStatus> nodes) {

  /**
   * A node.
   *
   * @param reachable whether it answers
   * @param load1 load average over a minute
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record NodeStatus(String name, boolean reachable, Double load1, List<GpuStatus> gpus) {
    public NodeStatus {
      gpus = List.copyOf(gpus);
    }
  }

  /**
   * A GPU or a MIG instance.
   *
   * @param number {@code 3}, or {@code 3:1} for the MIG instance in its slot 1
   * @param utilization percent
   * @param memoryUsedBytes allocated
   * @param temperatureCelsius of the core
   * @param powerWatts current power
   * @param health ok, degraded, lost, or stale (without recent readings)
   * @param task that holds it, such as {@code 1.0}
   * @param draining true if a user has drained it, so that it gets no more tasks
   * @param drainReason the reason that was given for that
   * @param note why it is not lent, or who else uses it, for people
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record GpuStatus(
      String number,
      String uuid,
      String name,
      Integer utilization,
      Long memoryUsedBytes,
      Long memoryTotalBytes,
      Integer temperatureCelsius,
      Double powerWatts,
      Double powerLimitWatts,
      DeviceHealth health,
      String task,
      Boolean draining,
      String drainReason,
      String note) {

    /** Creates the status of a GPU that is not drained. */
    public GpuStatus(
        String number,
        String uuid,
        String name,
        Integer utilization,
        Long memoryUsedBytes,
        Long memoryTotalBytes,
        Integer temperatureCelsius,
        Double powerWatts,
        Double powerLimitWatts,
        DeviceHealth health,
        String task) {
      this(
          number,
          uuid,
          name,
          utilization,
          memoryUsedBytes,
          memoryTotalBytes,
          temperatureCelsius,
          powerWatts,
          powerLimitWatts,
          health,
          task,
          null,
          null,
          null);
    }

    /** Returns the status with a note for people, or null. */
    GpuStatus noted(String text) {
      return with(draining, drainReason, text);
    }

    private GpuStatus with(Boolean drains, String reason, String text) {
      return new GpuStatus(
          number,
          uuid,
          name,
          utilization,
          memoryUsedBytes,
          memoryTotalBytes,
          temperatureCelsius,
          powerWatts,
          powerLimitWatts,
          health,
          task,
          drains,
          reason,
          text);
    }

    /** Returns the status of a GPU that is drained; the reason is empty if none is given. */
    GpuStatus draining(String reason) {
      return with(true, reason.isEmpty() ? null : reason, note);
    }
  }

  public RunNodesStatus {
    nodes = List.copyOf(nodes);
  }

  /** Returns the status of a node of which no device is drained. */
  public static NodeStatus node(
      String name,
      boolean reachable,
      List<DeviceInfo> devices,
      NodeSample sample,
      Map<String, String> lent) {
    return node(name, reachable, devices, sample, lent, Map.of(), Map.of());
  }

  /**
   * Returns the status of a node.
   *
   * @param devices of the node
   * @param sample its newest sample, or null before the first
   * @param lent the tasks that hold devices, by the device's UUID
   * @param drained why devices are drained, by id, empty without a reason
   * @param notes for people, by device
   */
  public static NodeStatus node(
      String name,
      boolean reachable,
      List<DeviceInfo> devices,
      NodeSample sample,
      Map<String, String> lent,
      Map<DeviceId, String> drained,
      Map<DeviceId, String> notes) {
    Map<String, DeviceSample> samples =
        sample == null
            ? Map.of()
            : sample.devices().stream()
                .collect(
                    Collectors.toMap(
                        one -> one.id().uuid(), Function.identity(), (one, other) -> one));
    return new NodeStatus(
        name,
        reachable,
        sample == null ? null : sample.host().load1(),
        devices.stream()
            .map(
                device -> {
                  GpuStatus gpu = gpu(device, samples.get(device.id().uuid()), lent);
                  String why = drained.get(device.id());
                  GpuStatus shown = why == null ? gpu : gpu.draining(why);
                  return shown.noted(notes.get(device.id()));
                })
            .toList());
  }

  private static GpuStatus gpu(DeviceInfo device, DeviceSample sample, Map<String, String> lent) {
    String uuid = device.id().uuid();
    DeviceSample seen =
        sample != null ? sample : DeviceSample.stale(device, "telemetry", "NOT_SAMPLED_YET");
    return new GpuStatus(
        seen.number(),
        uuid,
        device.name(),
        seen.utilGpu(),
        seen.memUsed(),
        device.memoryTotalBytes() > 0 ? Long.valueOf(device.memoryTotalBytes()) : null,
        seen.tempC(),
        watts(seen.powerMw()),
        watts(seen.powerLimitMw()),
        seen.health(),
        lent.get(uuid));
  }

  private static Double watts(Integer milliwatts) {
    return milliwatts == null ? null : milliwatts / 1000.0;
  }
}
