package io.remuda.agent.actor;

import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.protocol.DeviceVariables;
import io.remuda.agent.protocol.TaskOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ResourceRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Creates the request to start a user's command: its own arguments, and its environment with
 * Remuda's variables.
 */
final class CommandLaunch {

  private static final long MEBIBYTE = 1 << 20;

  private CommandLaunch() {}

  static SpawnRequest of(
      TaskOrder order, CommandWorkload command, TaskFolder folder, AgentSettings settings) {
    TaskOrder.Ending ending =
        order.ending() != null
            ? order.ending()
            : new TaskOrder.Ending(settings.timing().grace().toMillis(), 0, 0);
    return new SpawnRequest(
        settings.keyPrefix() + order.attempt(),
        command.argv(),
        environment(order, command, folder, settings),
        command.folder(),
        folder.stdout(),
        folder.stderr(),
        folder.path(),
        order.devices().stream().map(DeviceId::uuid).toList(),
        order.contactMillis(),
        ending.graceMillis(),
        command.umask(),
        order.slot(),
        ending.signal(),
        ending.signalAfterMillis());
  }

  /** Returns the environment of a command; docs/job-service.md documents the variables. */
  static Map<String, String> environment(
      TaskOrder order, CommandWorkload command, TaskFolder folder, AgentSettings settings) {
    Map<String, String> all = new HashMap<>(command.environment());
    AttemptId attempt = order.attempt();
    TaskOrder.JobFacts job = order.job();
    ResourceRequest request = job.request();
    all.put("REMUDA_JOB", attempt.task().job().toString());
    all.put("REMUDA_JOB_UUID", job.uuid().toString());
    all.put("REMUDA_JOB_NAME", job.name());
    all.put("REMUDA_TASK", attempt.task().toString());
    all.put("REMUDA_TASK_INDEX", Integer.toString(attempt.task().index()));
    all.put("REMUDA_TASK_COUNT", Integer.toString(job.tasks()));
    all.put("REMUDA_ATTEMPT", Integer.toString(attempt.attempt()));
    all.put("REMUDA_NODE", settings.node());
    all.put("REMUDA_USER", order.user());
    all.put("REMUDA_CPUS", plain(request.cpus()));
    all.put("REMUDA_MEM_MIB", Long.toString(request.memory() / MEBIBYTE));
    all.put("REMUDA_GPU_MEM_MIB", Long.toString(Math.max(0, request.gpuMemory()) / MEBIBYTE));
    all.put("REMUDA_DEVICES", list(order.devices()));
    all.put("REMUDA_SCRATCH", folder.scratch().toString());
    if (request.isAuto() || request.sharesGpus()) {
      DeviceVariables.sharing().forEach(all::putIfAbsent);
    }
    all.keySet().removeAll(DeviceVariables.OTHER_NAMES);
    all.putAll(DeviceVariables.task(order.devices()));
    return all;
  }

  private static String list(List<DeviceId> devices) {
    return devices.stream().map(DeviceId::uuid).collect(Collectors.joining(","));
  }

  private static String plain(double cpus) {
    return cpus == Math.rint(cpus) ? Long.toString((long) cpus) : Double.toString(cpus);
  }
}
