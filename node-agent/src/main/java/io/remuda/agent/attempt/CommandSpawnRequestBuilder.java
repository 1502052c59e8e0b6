package io.remuda.agent.attempt;

import io.remuda.agent.keeper.ReachedProcesses;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.SpawnTemplate;
import io.remuda.agent.keeper.limit.ShellLimits;
import io.remuda.agent.protocol.DeviceVariables;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.ShellDroppedVariables;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.sweep.TaskParameters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Creates the requests to start users' commands: their own arguments, and their environment with
 * Remuda's variables. What the tasks of a job have in common is made once for many of them. One
 * thread.
 */
public final class CommandSpawnRequestBuilder {

  private static final String GPU_MEMORY = "REMUDA_GPU_MEM_MIB";
  private static final long MEBIBYTE = 1 << 20;
  private static final int MOST_TEMPLATES = 32;

  /** What decides a template; the workload is compared by identity, since it may be large. */
  private static final class TemplateKey {
    private final TaskStartOrder.JobFacts job;
    private final CommandWorkload command;
    private final String user;

    private TemplateKey(TaskStartOrder order, CommandWorkload command) {
      this.job = order.job();
      this.command = command;
      this.user = order.user();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof TemplateKey same
          && command == same.command
          && job.equals(same.job)
          && user.equals(same.user);
    }

    @Override
    public int hashCode() {
      return job.uuid().hashCode();
    }
  }

  private final AgentSettings settings;
  private final OwnInterfaces interfaces;
  private final Supplier<List<DeviceInfo>> devices;
  private final Map<TemplateKey, SpawnTemplate> templates =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TemplateKey, SpawnTemplate> eldest) {
          return size() > MOST_TEMPLATES;
        }
      };

  /**
   * @param interfaces the network interfaces of this node
   * @param devices returns the devices of this node, which may change
   */
  public CommandSpawnRequestBuilder(
      AgentSettings settings, OwnInterfaces interfaces, Supplier<List<DeviceInfo>> devices) {
    this.settings = settings;
    this.interfaces = interfaces;
    this.devices = devices;
  }

  /**
   * Returns the request to start a command.
   *
   * @param more what a training gets besides
   */
  public SpawnRequest of(
      TaskStartOrder order, CommandWorkload command, TaskFolder folder, LaunchAdditions more) {
    Map<String, String> variables = variables(order, folder);
    variables.keySet().removeIf(name -> isChosen(name, command));
    variables.putAll(more.variables());
    TaskStartOrder.Ending ending =
        order.ending() != null
            ? order.ending()
            : new TaskStartOrder.Ending(settings.timing().grace().toMillis(), 0, 0);
    SpawnTemplate template =
        templates.computeIfAbsent(
            new TemplateKey(order, command), key -> template(order, command, more.prefix()));
    if (order.parameters() != null) {
      command.changed(order.parameters()).forEach(variables::putIfAbsent);
      variables.putAll(order.parameters().variables());
      template = filled(template, order.parameters());
    }
    Map<String, String> begun = new HashMap<>(variables); // Slurm counts what has begun
    begun.put("REMUDA_ATTEMPT", Integer.toString(order.triesBefore() + 1));
    variables.putAll(BatchScriptVariables.of(template.environment(), begun, order.number()));
    SrunStandIn.addTo(template.environment(), variables, settings.folder());
    return new SpawnRequest(
        settings.keyPrefix() + order.attempt(),
        template,
        variables,
        folder.stdout(),
        folder.stderr(),
        folder.path(),
        order.devices().stream().map(DeviceId::uuid).toList(),
        order.contactMillis(),
        ending.graceMillis(),
        order.slot(),
        ending.signal(),
        ending.signalAfterMillis(),
        ReachedProcesses.valueOf(ending.reach().name()),
        settings.askToEnd().reach());
  }

  /** Returns whether a variable is one that the user has set and may set. */
  private static boolean isChosen(String name, CommandWorkload command) {
    return GangVariables.INTERFACES.contains(name) && command.environment().containsKey(name);
  }

  private SpawnTemplate template(
      TaskStartOrder order, CommandWorkload command, List<String> prefix) {
    List<String> argv = new ArrayList<>(prefix);
    if (!prefix.isEmpty()) { // a shell runs them
      argv.addAll(ShellDroppedVariables.before(command.environment(), command.argv()));
    }
    argv.addAll(command.argv());
    return new SpawnTemplate(argv, common(order, command), command.folder(), command.umask());
  }

  /** Returns the template of a task with other arguments than those of its job's other tasks. */
  private static SpawnTemplate filled(SpawnTemplate alike, TaskParameters own) {
    List<String> argv = own.filled(alike.argv());
    return argv == alike.argv()
        ? alike
        : new SpawnTemplate(argv, alike.environment(), alike.workingFolder(), alike.umask());
  }

  /** Returns the variables of all tasks of a job; docs/job-service.md documents them. */
  private Map<String, String> common(TaskStartOrder order, CommandWorkload command) {
    Map<String, String> all = new HashMap<>(command.environment());
    TaskStartOrder.JobFacts job = order.job();
    ResourceRequest request = job.request();
    all.put("REMUDA_JOB", order.attempt().task().job().toString());
    all.put("REMUDA_JOB_UUID", job.uuid().toString());
    all.put("REMUDA_JOB_NAME", job.name());
    all.put("REMUDA_TASK_COUNT", Integer.toString(job.tasks()));
    all.put("REMUDA_NODE", settings.node());
    all.put("REMUDA_USER", order.user());
    all.put("REMUDA_CPUS", plain(request.cpus()));
    all.put("REMUDA_MEM_MIB", Long.toString(request.memory() / MEBIBYTE));
    all.remove(GPU_MEMORY); // of the task that has submitted this one
    long promised = request.gpuShare().promisedBytes();
    if (promised > 0) { // else the task may use all of its devices, or an N-th of them
      all.put(GPU_MEMORY, Long.toString(promised / MEBIBYTE));
    }
    if (request.gpuShare().isMeasured() || request.gpuShare().isShared()) {
      DeviceVariables.sharing().forEach(all::putIfAbsent);
    }
    if (settings.threadVariables()) {
      ThreadCountVariables.addTo(all, request.cpus());
    }
    all.keySet().removeAll(DeviceVariables.NAMES); // those of this task are set
    all.remove(SpawnRequest.CONTAINER); // of the task that has submitted this one
    all.remove(SpawnRequest.CPU_SET);
    if (!settings.shellLimits()) {
      all.remove(ShellLimits.VARIABLE);
    }
    return all;
  }

  /** Returns the variables of one attempt. */
  private Map<String, String> variables(TaskStartOrder order, TaskFolder folder) {
    AttemptId attempt = order.attempt();
    Map<String, String> own = DeviceVariables.task(order.devices(), devices.get());
    own.put("REMUDA_TASK", attempt.task().toString());
    own.put("REMUDA_TASK_INDEX", Integer.toString(attempt.task().index()));
    own.put("REMUDA_ATTEMPT", Integer.toString(attempt.attempt()));
    own.put("REMUDA_DEVICES", list(order.devices()));
    own.put("REMUDA_SCRATCH", folder.scratch().toString());
    own.put("REMUDA_METRICS", folder.metrics().toString());
    own.putAll(GangVariables.of(order, folder.scratch(), interfaces));
    return own;
  }

  private static String list(List<DeviceId> devices) {
    return devices.stream().map(DeviceId::uuid).collect(Collectors.joining(","));
  }

  private static String plain(double cpus) {
    return cpus == Math.rint(cpus) ? Long.toString((long) cpus) : Double.toString(cpus);
  }
}
