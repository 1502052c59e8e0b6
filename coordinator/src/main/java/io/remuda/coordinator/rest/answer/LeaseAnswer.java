package io.remuda.coordinator.rest.answer;

import io.remuda.agent.protocol.DeviceVariables;
import io.remuda.coordinator.api.LeaseView;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.telemetry.model.DeviceId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A lease: GPUs for a running program.
 *
 * @param type whose memory is measured, or null
 * @param attempt 0 before its first grant
 * @param node or null
 * @param devices UUIDs of its GPUs
 * @param gpuMemoryBytes of each GPU; null for whole ones
 * @param measuring whether its type is being measured
 * @param environment variables that the program has to set before it loads its framework
 * @param reasons why it waits, a line each
 * @param cause why it is in its state, or null
 */
public record LeaseAnswer(
    long id,
    String type,
    String state,
    int attempt,
    String node,
    List<String> devices,
    Long gpuMemoryBytes,
    boolean measuring,
    Map<String, String> environment,
    List<String> reasons,
    String cause) {

  /** Shift from bytes to MiB. */
  private static final int MEBIBYTE = 20;

  public static LeaseAnswer of(LeaseView lease) {
    return new LeaseAnswer(
        lease.id().value(),
        lease.type(),
        lease.state().label(),
        lease.attempt(),
        lease.node(),
        lease.devices().stream().map(DeviceId::uuid).toList(),
        lease.gpuMemory() == 0 ? null : lease.gpuMemory(),
        lease.measuring(),
        environment(lease),
        lease.reasons(),
        lease.cause());
  }

  /** Returns a lease that has ended. */
  public static LeaseAnswer over(JobRow row) {
    return new LeaseAnswer(
        row.id().value(),
        row.name(),
        row.state().label(),
        0,
        null,
        List.of(),
        null,
        false,
        Map.of(),
        List.of(),
        row.reason());
  }

  private static Map<String, String> environment(LeaseView lease) {
    Map<String, String> all = new LinkedHashMap<>();
    if (lease.state() == TaskState.RUNNING) {
      all.put("REMUDA_LEASE", lease.id().toString());
      all.put(
          "REMUDA_DEVICES",
          lease.devices().stream().map(DeviceId::uuid).collect(Collectors.joining(",")));
      all.put("REMUDA_GPU_MEM_MIB", Long.toString(lease.gpuMemory() >> MEBIBYTE));
      all.putAll(lease.variables());
      if (lease.measuring() || lease.gpuMemory() > 0) {
        all.putAll(DeviceVariables.sharing());
      }
    }
    return all;
  }
}
