package io.remuda.agent.cores;

import io.remuda.agent.attempt.SmallJsonFiles;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.proc.CpuSet;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The CPUs of the pinned tasks on this node. A note in the folder of each task names its CPUs, so
 * that the next agent knows them. Taking and adopting is done on one thread; {@link #variables} may
 * be called from any.
 */
public final class TaskCpuAllocator {

  private static final String FILE = "cpu-set";

  /**
   * The CPUs of one attempt, as its note has them.
   *
   * @param cpus list as the kernel writes it
   * @param slot of the attempt; 0 for none
   */
  record PinNote(String cpus, long slot) {
    private CpuSet set() {
      return CpuSet.parse(cpus);
    }

    private boolean isOfSlot(long other) {
      return slot != 0 && slot == other;
    }
  }

  private final CpuTopology topology;
  private final Map<AttemptId, PinNote> taken = new ConcurrentHashMap<>();

  public TaskCpuAllocator(CpuTopology topology) {
    this.topology = topology;
  }

  /**
   * Takes CPUs for an attempt if it is to be pinned, until {@link #release}; writes the note.
   *
   * @param devices of the node
   * @param folder of the attempt
   * @return why there are none; empty if there are, or it is not to be pinned
   */
  public Optional<String> take(TaskStartOrder order, List<DeviceInfo> devices, Path folder)
      throws IOException {
    AttemptId attempt = order.attempt();
    boolean pinned =
        order.workload() instanceof CommandWorkload command
            && command.launch() != null
            && command.launch().pinned();
    if (!pinned || taken.containsKey(attempt)) {
      return Optional.empty();
    }
    int count = (int) order.job().request().cpus();
    CpuSet allowed = topology.allowed();
    CpuSet used = used(order.slot());
    Optional<CpuSet> chosen = sameSlot(order.slot(), count);
    if (chosen.isEmpty()) {
      chosen =
          new CpuSelector(topology.cores(allowed), topology.memoryNodes())
              .choose(count, allowed.without(used), near(order.devices(), devices));
    }
    if (chosen.isEmpty()) {
      return Optional.of(
          "it needs "
              + count
              + " CPUs of its own, and of CPUs "
              + allowed
              + " other pinned tasks have "
              + (used.isEmpty() ? "none" : used));
    }
    PinNote note = new PinNote(chosen.get().toString(), order.slot());
    SmallJsonFiles.write(folder, FILE, note);
    taken.put(attempt, note);
    return Optional.empty();
  }

  /** Returns the CPUs that an attempt before it in its slot has, which is gone when it starts. */
  private Optional<CpuSet> sameSlot(long slot, int count) {
    return taken.values().stream()
        .filter(note -> note.isOfSlot(slot))
        .map(PinNote::set)
        .filter(cpus -> cpus.size() == count)
        .findFirst();
  }

  private CpuSet used(long slot) {
    return taken.values().stream()
        .filter(note -> !note.isOfSlot(slot))
        .map(PinNote::set)
        .reduce(CpuSet.NONE, CpuSet::or);
  }

  private CpuSet near(List<DeviceId> lent, List<DeviceInfo> devices) {
    CpuSet near = CpuSet.NONE;
    for (DeviceInfo device : devices) {
      if (device.pciBusId() != null && lent.contains(device.id())) {
        near = near.or(topology.near(device.pciBusId()));
      }
    }
    return near;
  }

  /** Takes over the CPUs of an attempt that an earlier agent has started, by its note. */
  public void adopt(AttemptId attempt, Path folder) {
    try {
      SmallJsonFiles.read(folder, FILE, PinNote.class)
          .filter(note -> !note.set().isEmpty())
          .ifPresent(note -> taken.put(attempt, note));
    } catch (IllegalArgumentException | NullPointerException changed) { // by the task itself
      taken.remove(attempt);
    }
  }

  /** Frees the CPUs of an attempt that has ended or does not start. */
  public void release(AttemptId attempt) {
    taken.remove(attempt);
  }

  /** Returns what the process of an attempt is told; the keeper binds it to these CPUs. */
  public Map<String, String> variables(AttemptId attempt) {
    PinNote note = taken.get(attempt);
    return note == null ? Map.of() : Map.of(SpawnRequest.CPU_SET, note.cpus());
  }
}
