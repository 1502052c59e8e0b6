package io.remuda.agent.gpu;

import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.sweep.ProcessTaskLookup;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the task of each process on a device, by the mark in its environment or by a lease that it
 * or an ancestor holds; of a process of no task, account and program. Results are cached while the
 * driver lists the process. One thread.
 */
public final class GpuProcessTaskAnnotator {

  private final String keyPrefix;
  private final LeaseHolderProcesses leased;
  private long knownLeases;
  private Map<Long, ProcessOwner> known = Map.of();

  /** Whose a process is: the task's, or else that of an account; null for what is not known. */
  private record ProcessOwner(String task, String account, String program) {
    private DeviceProcess of(DeviceProcess process) {
      return task == null ? process.ofStranger(account, program) : process.of(task);
    }
  }

  /**
   * @param keyPrefix prefix of the keys of this node's tasks
   * @param leased programs that hold leases; no task has started them
   */
  public GpuProcessTaskAnnotator(String keyPrefix, LeaseHolderProcesses leased) {
    this.keyPrefix = keyPrefix;
    this.leased = leased;
  }

  /** Returns a copy of the sample in which processes have their tasks. */
  public NodeSample name(NodeSample sample) {
    long leases = leased.version();
    if (leases != knownLeases) {
      knownLeases = leases;
      known = Map.of();
    }
    Map<Long, ProcessOwner> seen = new HashMap<>();
    List<DeviceSample> devices = new ArrayList<>(sample.devices().size());
    for (DeviceSample device : sample.devices()) {
      devices.add(
          device.processes() == null || device.processes().isEmpty()
              ? device
              : device.withProcesses(
                  device.processes().stream().map(process -> name(process, seen)).toList()));
    }
    known = seen;
    return new NodeSample(
        sample.node(), sample.sequence(), sample.atEpochMillis(), sample.host(), devices);
  }

  private DeviceProcess name(DeviceProcess process, Map<Long, ProcessOwner> seen) {
    return seen.computeIfAbsent(
            process.pid(), pid -> known.containsKey(pid) ? known.get(pid) : ownerOf(pid))
        .of(process);
  }

  private ProcessOwner ownerOf(long pid) {
    return taskOf(pid)
        .map(task -> new ProcessOwner(task, null, null))
        .orElseGet(() -> new ProcessOwner(null, accountOf(pid), programOf(pid)));
  }

  private Optional<String> taskOf(long pid) {
    return leased
        .ownerOf(pid)
        .map(AttemptId::toString)
        .or(
            () ->
                ProcessTaskLookup.keyOf(pid)
                    .filter(key -> key.startsWith(keyPrefix))
                    .map(key -> key.substring(keyPrefix.length())));
  }

  private static String accountOf(long pid) {
    try {
      return Files.getOwner(Path.of("/proc", Long.toString(pid))).getName();
    } catch (IOException gone) { // or it is in another container
      return null;
    }
  }

  private static String programOf(long pid) {
    String program = pid > Integer.MAX_VALUE ? "" : ProcFiles.command((int) pid);
    return program.isEmpty() ? null : program;
  }
}
