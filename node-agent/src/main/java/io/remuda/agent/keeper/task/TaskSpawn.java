package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.SpawnTemplate;
import io.remuda.agent.keeper.limit.DeviceLock;
import io.remuda.agent.keeper.limit.DeviceLocks;
import io.remuda.agent.keeper.limit.InheritedLimits;
import io.remuda.agent.keeper.limit.ShellLimits;
import io.remuda.agent.keeper.proc.BootClock;
import io.remuda.agent.keeper.proc.CpuSet;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.ProgramLookup;
import io.remuda.agent.keeper.proc.ResourceShortageClassifier;
import io.remuda.agent.keeper.proc.RlimitProcessMark;
import io.remuda.agent.keeper.proc.SpawnFailureException;
import io.remuda.agent.keeper.proc.SpawnedProcess;
import io.remuda.agent.keeper.proc.Spawner;
import io.remuda.agent.keeper.proc.StandardStreamFiles;
import io.remuda.agent.keeper.proc.TaskMark;
import io.remuda.agent.keeper.proc.ThreadAffinity;
import io.remuda.agent.keeper.sweep.KeeperProcessJournal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts the process of a task: looks up its program, takes its device locks, opens its output, and
 * registers it. Any thread.
 */
final class TaskSpawn {

  private final BootClock clock;
  private final KeeperTasks table;
  private final DeviceLocks locks;
  private final KeeperProcessJournal record;
  private final RlimitProcessMark limit;
  private final MemoryLimits limits;
  private final Spawner spawner;

  /** Guards the state of starts under way. */
  private final Object starting;

  /** Held while this process has the mark of a task, which a child inherits. */
  private final Object oneAtATime;

  TaskSpawn(
      BootClock clock,
      KeeperTasks table,
      DeviceLocks locks,
      KeeperProcessJournal record,
      RlimitProcessMark limit,
      MemoryLimits limits,
      Spawner spawner,
      Object starting,
      Object oneAtATime) {
    this.clock = clock;
    this.table = table;
    this.locks = locks;
    this.record = record;
    this.limit = limit;
    this.limits = limits;
    this.spawner = spawner;
    this.starting = starting;
    this.oneAtATime = oneAtATime;
  }

  /** Does what may wait for a disk first, and then what must not. */
  SpawnAnswer start(PendingStart start) throws SpawnFailureException {
    SpawnRequest request = start.request();
    requireWanted(start);
    String program = ProgramLookup.locate(request);
    ProgramLookup.touch(program, request.workingFolder());
    List<DeviceLock> taken = locks.take(request.deviceLocks());
    try (StandardStreamFiles outputs = StandardStreamFiles.open(request)) {
      return start(start, program, outputs, taken);
    } catch (SpawnFailureException | RuntimeException | Error failure) {
      if (table.find(request.key()) == null) {
        locks.release(taken);
      }
      throw failure;
    }
  }

  private void requireWanted(PendingStart start) throws SpawnFailureException {
    if (clock.millis() > start.turn().expiresAtMillis()) {
      throw new SpawnFailureException(start.late(), "the request came too late");
    }
    synchronized (starting) {
      if (start.isUnwanted()) {
        throw new SpawnFailureException(RefusalCode.NOT_BEGUN, PendingStarts.WITHDRAWN);
      }
    }
  }

  private SpawnAnswer start(
      PendingStart start, String program, StandardStreamFiles outputs, List<DeviceLock> taken)
      throws SpawnFailureException {
    SpawnRequest request = start.request();
    SpawnedProcess spawned = null;
    try {
      long serial = record.begins(request.key());
      spawned = startNow(start, program, outputs, taken, serial);
      record.began(serial, spawned);
    } catch (IOException unwritable) {
      if (spawned == null) { // else its limits and the first line of the record identify it
        throw new SpawnFailureException(
            ResourceShortageClassifier.isOne(unwritable)
                ? RefusalCode.SHORTAGE
                : RefusalCode.OUTPUT_FILE,
            "the keeper's record cannot be written: " + unwritable);
      }
    } finally {
      if (spawned == null) {
        record.ended(request.key());
        outputs.discard();
      }
    }
    for (DeviceLock lock : taken) {
      lock.name(spawned.pid(), request.key());
    }
    return new SpawnAnswer.Started(spawned.pid(), spawned.startTicks());
  }

  /** Never waits for a disk. Whatever happens, the next keeper can find the process. */
  private SpawnedProcess startNow(
      PendingStart start,
      String program,
      StandardStreamFiles outputs,
      List<DeviceLock> taken,
      long serial)
      throws SpawnFailureException {
    boolean wanted;
    synchronized (starting) {
      wanted = start.spawns();
    }
    if (!wanted || !table.spawnBegins()) {
      throw wanted
          ? new SpawnFailureException(RefusalCode.SHUTTING_DOWN, "the keeper is ending")
          : new SpawnFailureException(RefusalCode.NOT_BEGUN, PendingStarts.WITHDRAWN);
    }
    SpawnRequest request = start.request();
    SpawnedProcess spawned = null;
    boolean registered = false;
    try {
      long born = clock.millis();
      spawned = spawn(request, program, outputs, fds(taken), serial);
      limits.started(new TaskMark(request.key(), spawned.pid(), spawned.startTicks()), request);
      TaskMark mark = table.register(request, spawned, born, taken).mark();
      registered = true;
      return new SpawnedProcess(spawned.pid(), mark.startTicks());
    } finally {
      table.spawnEnds();
      if (!registered) {
        abandon(spawned);
      }
    }
  }

  /**
   * Sets the limits of this process to the mark of the task and to those of its shell, and the CPUs
   * of this thread to those of the task, since the child inherits them.
   */
  private SpawnedProcess spawn(
      SpawnRequest request,
      String program,
      StandardStreamFiles outputs,
      List<Integer> inherited,
      long serial)
      throws SpawnFailureException {
    synchronized (oneAtATime) {
      limit.next(serial);
      try (ThreadAffinity bound = affinity(request);
          InheritedLimits own = InheritedLimits.of(shellLimits(request))) {
        List<String> prefix = own.prefix();
        SpawnedProcess spawned =
            prefix.isEmpty()
                ? spawner.spawn(request, program, outputs, inherited)
                : spawner.spawn(behind(prefix, request), prefix.get(0), outputs, inherited);
        own.started(spawned.pid());
        return spawned;
      } finally {
        limit.next(0);
      }
    }
  }

  /** Returns the limits of the shell that submitted the task; none if they are not told. */
  private static ShellLimits shellLimits(SpawnRequest request) {
    String text = request.variable(ShellLimits.VARIABLE);
    try {
      return ShellLimits.parse(text == null ? "" : text);
    } catch (IllegalArgumentException unknown) {
      return ShellLimits.parse(""); // of a later build
    }
  }

  /** Returns the request to start a program that then becomes that of the task. */
  private static SpawnRequest behind(List<String> prefix, SpawnRequest request) {
    List<String> argv = new ArrayList<>(prefix);
    argv.addAll(request.argv());
    return request.with(
        new SpawnTemplate(
            argv, request.environment(), request.workingFolder(), request.template().umask()));
  }

  private static ThreadAffinity affinity(SpawnRequest request) throws SpawnFailureException {
    String cpus = request.variable(SpawnRequest.CPU_SET);
    try {
      return ThreadAffinity.to(cpus == null ? CpuSet.NONE : CpuSet.parse(cpus));
    } catch (IllegalStateException | IllegalArgumentException unusable) {
      throw new SpawnFailureException(RefusalCode.SHORTAGE, unusable.getMessage());
    }
  }

  /** Kills a process whose registration failed. */
  private static void abandon(SpawnedProcess spawned) {
    if (spawned != null) {
      Posix.kill(spawned.pid(), Posix.SIGKILL);
    }
  }

  private static List<Integer> fds(List<DeviceLock> locks) {
    return locks.stream().flatMap(lock -> lock.fds().stream()).toList();
  }
}
