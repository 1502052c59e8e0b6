package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.GpuText;
import io.remuda.coordinator.api.NodeConnectionInfo;
import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodePause;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A node.
 *
 * @param note why it starts nothing at the moment, or why its agent was ended; else null
 * @param drainReason the reason that was given when it was drained, or null
 * @param cpus cores
 * @param tasks number of tasks that have a place there
 * @param foreign tasks of another state file, which run there
 * @param version of its agent, or null while it is not connected
 * @param machine id of the boot and container that it runs in, or null while it is not connected
 * @param resources its counted resources by name
 * @param load1 mean load of the last minute; null while it is not connected, or before its first
 *     sample
 * @param address at which other nodes reach it
 * @param sinceSeconds for how long it has been connected or, if it is silent, silent
 */
public record NodeAnswer(
    String name,
    String state,
    String note,
    String drainReason,
    Map<String, String> labels,
    double cpus,
    double freeCpus,
    long memoryBytes,
    long freeMemoryBytes,
    int tasks,
    List<Device> devices,
    List<Foreign> foreign,
    String version,
    String machine,
    Map<String, Counted> resources,
    Double load1,
    String address,
    Long sinceSeconds) {

  static final double MILLIS_OF_CPU = 1000;

  /** What is free of a counted resource, and all of it. */
  public record Counted(long free, long total) {

    static Map<String, Counted> of(Map<String, NodeOffer.Amount> amounts) {
      Map<String, Counted> counted = new TreeMap<>();
      amounts.forEach(
          (name, amount) -> counted.put(name, new Counted(amount.free(), amount.total())));
      return counted;
    }
  }

  /**
   * A GPU.
   *
   * @param number by which its machine calls it, or null before its first sample
   * @param drainReason the reason that was given when it was drained, or null
   * @param attempts that have it, or parts of it
   * @param note why it is occupied or rests, or who else uses it; left out if nothing is, as the
   *     next two are: of thousands of GPUs few have them
   * @param strangerBytes used by processes of no task, as far as that matters for lending it
   */
  public record Device(
      String uuid,
      String number,
      String model,
      long memoryBytes,
      long freeMemoryBytes,
      String state,
      String drainReason,
      List<String> attempts,
      @JsonInclude(JsonInclude.Include.NON_NULL) String note,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) long strangerBytes,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<StrangerAnswer> strangers) {

    private static Device of(DeviceOffer device, String number, List<AttemptId> holders) {
      return new Device(
          device.id().uuid(),
          number,
          device.model(),
          device.totalMemory(),
          device.freeMemory(),
          label(device.standing()),
          NodeAnswer.drainReason(device),
          numbers(holders),
          GpuText.note(device),
          device.strangers().bytes(),
          StrangerAnswer.of(device));
    }
  }

  private static List<String> numbers(List<AttemptId> attempts) {
    List<String> numbers = new ArrayList<>(attempts.size());
    attempts.forEach(attempt -> numbers.add(attempt.numbers()));
    return numbers;
  }

  /**
   * A task of another state file.
   *
   * @param pid of its first process, as the node sees it
   * @param devices UUIDs of its GPUs
   */
  public record Foreign(
      String id,
      long pid,
      String name,
      String user,
      double cpus,
      long memoryBytes,
      List<String> devices) {

    private static Foreign of(TaskReport task) {
      return new Foreign(
          task.attempt().toString(),
          task.pid(),
          task.facts().name(),
          task.facts().user(),
          task.facts().milliCpus() / MILLIS_OF_CPU,
          task.facts().memory(),
          task.facts().devices());
    }
  }

  static NodeAnswer of(NodeOffer node, ClusterNodesSnapshot cluster) {
    NodeSample sample = cluster.samples().get(node.node());
    Map<DeviceId, String> numbers = new HashMap<>();
    if (sample != null) {
      sample.devices().forEach(device -> numbers.put(device.id(), device.number()));
    }
    boolean connected = cluster.builds().containsKey(node.node());
    NodeConnectionInfo contact =
        cluster.contacts().getOrDefault(node.node(), new NodeConnectionInfo(null, null, null));
    return new NodeAnswer(
        node.node(),
        label(node.presence()),
        contact.left() == null ? note(node) : "its agent was ended: " + contact.left(),
        node.pause() instanceof NodePause.Drained drained ? drained.reason() : null,
        node.labels(),
        node.cpus().total() / MILLIS_OF_CPU,
        node.cpus().free() / MILLIS_OF_CPU,
        node.memory().total(),
        node.memory().free(),
        cluster.running().getOrDefault(node.node(), 0),
        node.devices().stream()
            .map(
                device ->
                    Device.of(
                        device,
                        numbers.get(device.id()),
                        cluster.holders().getOrDefault(device.id(), List.of())))
            .toList(),
        cluster.foreign(node.node()).stream().map(Foreign::of).toList(),
        cluster.builds().get(node.node()),
        cluster.machines().get(node.node()),
        Counted.of(node.counted().ofNode()),
        sample == null || !connected ? null : sample.host().load1(),
        contact.address(),
        contact.seconds());
  }

  /** Returns the reason that was given when a GPU was drained, or null. */
  static String drainReason(DeviceOffer device) {
    return device.drained() == null || device.drained().isEmpty() ? null : device.drained();
  }

  static String note(NodeOffer node) {
    return node.pause() == null ? null : WaitText.pause(node.pause());
  }

  static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
