package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.DeviceHoldRequest;
import io.remuda.agent.keeper.ExitFile;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.ending.ProcTraits;
import io.remuda.agent.keeper.ending.ProcessTraits;
import io.remuda.agent.keeper.limit.DeviceLock;
import io.remuda.agent.keeper.limit.DeviceLocks;
import io.remuda.agent.keeper.proc.BootClock;
import io.remuda.agent.keeper.proc.KeeperLog;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.Signaller;
import io.remuda.agent.keeper.proc.SpawnFailureException;
import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Programs that the keeper did not start and for which it holds device locks. Each is watched until
 * its process ends or it gives its devices back. The keeper's own tasks are in {@link KeeperTasks}.
 * Any thread.
 */
final class ExternalDeviceHolders {

  /** How often a thread that waits for a process checks whether it should continue, in ms. */
  private static final int LOOK_MILLIS = 100;

  private static final int ENDED_LIMIT = 20_000;

  private final ProcessTraits traits = new ProcTraits();
  private final BootClock clock;
  private final DeviceLocks locks;
  private final ExitRecorder recorder;
  private final Consumer<TaskView> exited;
  private final Map<String, ExternalDeviceHolder> byKey = new LinkedHashMap<>();
  private final Object adopting = new Object();
  private boolean closing;

  /**
   * @param recorder writes the exit records
   * @param exited called with each program that is no longer watched, once its locks are free
   */
  ExternalDeviceHolders(
      BootClock clock, DeviceLocks locks, ExitRecorder recorder, Consumer<TaskView> exited) {
    this.clock = clock;
    this.locks = locks;
    this.recorder = recorder;
    this.exited = exited;
  }

  /** Starts to watch a program, unless its key is known here. */
  SpawnAnswer adopt(DeviceHoldRequest request) {
    try {
      return watched(request);
    } catch (SpawnFailureException refused) {
      return new SpawnAnswer.Refused(refused.code(), refused.getMessage());
    }
  }

  /** Takes the locks outside of this object's monitor, since their disk may hang. */
  private SpawnAnswer watched(DeviceHoldRequest request) throws SpawnFailureException {
    synchronized (adopting) {
      ExternalDeviceHolder known = find(request.key());
      if (known != null) {
        return new SpawnAnswer.Known(view(known));
      }
      ProcStat process = process(request);
      List<DeviceLock> taken = locks.take(request.deviceLocks());
      ExternalDeviceHolder adopted =
          new ExternalDeviceHolder(request, process, taken, clock.millis());
      if (!takeIn(adopted)) {
        locks.release(taken);
        throw new SpawnFailureException(RefusalCode.SHUTTING_DOWN, "the keeper is ending");
      }
      taken.forEach(lock -> lock.name(process.pid(), request.key()));
      DaemonThread.start("adopted-" + process.pid(), () -> watch(adopted));
      return new SpawnAnswer.Started(process.pid(), process.startTicks());
    }
  }

  private synchronized TaskView view(ExternalDeviceHolder adopted) {
    return adopted.view();
  }

  private synchronized boolean takeIn(ExternalDeviceHolder adopted) {
    if (!closing) {
      byKey.put(adopted.request().key(), adopted);
    }
    return !closing;
  }

  private static ProcStat process(DeviceHoldRequest request) throws SpawnFailureException {
    ProcStat process = ProcFiles.stat((int) request.pid());
    if (process == null || process.dead() || process.startTicks() != request.startTicks()) {
      throw new SpawnFailureException(RefusalCode.GONE, "process " + request.pid() + " has ended");
    }
    if (request.pid() == Posix.getpid()) {
      throw new SpawnFailureException(
          RefusalCode.INVALID, "process " + request.pid() + " is one of this service's own");
    }
    try {
      int owner = (Integer) Files.getAttribute(Path.of("/proc/" + request.pid()), "unix:uid");
      if (owner != Posix.getuid() && Posix.getuid() != 0) {
        throw new SpawnFailureException(
            RefusalCode.INVALID, "process " + request.pid() + " is another user's");
      }
    } catch (IOException vanished) {
      throw new SpawnFailureException(RefusalCode.GONE, "process " + request.pid() + " has ended");
    }
    return process;
  }

  private void watch(ExternalDeviceHolder adopted) {
    int pidfd = Posix.pidfd_open(adopted.process().pid());
    try {
      while (isWatched(adopted)) {
        if (isGone(adopted)) {
          finish(adopted);
        } else if (isDueKill(adopted)) {
          signal(family(adopted), Posix.SIGKILL);
        } else {
          ask(adopted);
        }
        Posix.awaitEnd(pidfd, LOOK_MILLIS);
      }
    } finally {
      if (pidfd >= 0) {
        Posix.close(pidfd);
      }
    }
  }

  /** Returns whether its process is gone and, after a kill, its descendants as well. */
  private boolean isGone(ExternalDeviceHolder adopted) {
    return !ProcFiles.isThere(adopted.process())
        && ended(adopted).stream().noneMatch(ProcFiles::isThere);
  }

  private synchronized List<ProcStat> ended(ExternalDeviceHolder adopted) {
    return adopted.family();
  }

  private synchronized boolean isWatched(ExternalDeviceHolder adopted) {
    return adopted.isWatched();
  }

  private synchronized boolean isDueKill(ExternalDeviceHolder adopted) {
    return adopted.isDueKill(clock.millis());
  }

  /** Ends the watch and frees the devices; the program continues. Ignores an unknown key. */
  void release(String key) {
    ExternalDeviceHolder adopted = find(key);
    if (adopted != null) {
      finish(adopted);
    }
  }

  private synchronized ExternalDeviceHolder find(String key) {
    return byKey.get(key);
  }

  /** Ends the watch. The recorder's thread writes the exit record, since the disk may hang. */
  private void finish(ExternalDeviceHolder adopted) {
    synchronized (this) {
      if (adopted.isWatched()) {
        ExitRecord record = adopted.over(clock.millis());
        recorder.add(() -> conclude(adopted, record));
      }
    }
  }

  private void conclude(ExternalDeviceHolder adopted, ExitRecord record) {
    try {
      ExitFile.write(adopted.request().taskFolder(), record);
    } catch (IOException | RuntimeException | OutOfMemoryError unwritable) {
      KeeperLog.line("keeper: no exit record of " + record.key() + ": " + unwritable);
    }
    locks.release(adopted.locks());
    TaskView view;
    synchronized (this) {
      adopted.ended(record);
      view = adopted.view();
      dropOldestEnded();
      notifyAll();
    }
    exited.accept(view);
  }

  private void dropOldestEnded() {
    if (byKey.size() > ENDED_LIMIT) {
      byKey.values().stream()
          .filter(adopted -> !adopted.isLive())
          .findFirst()
          .ifPresent(oldest -> byKey.remove(oldest.request().key()));
    }
  }

  /** Ends a program: asks it as a task by {@link TaskAsking}, SIGKILL after the grace. */
  void kill(String key, long graceMillis) {
    ExternalDeviceHolder adopted = find(key);
    if (adopted == null || !isWatched(adopted)) {
      return;
    }
    List<ProcStat> all = family(adopted);
    synchronized (this) {
      adopted.kill(graceMillis, clock.millis(), all);
    }
    if (!isDueKill(adopted)) {
      ask(adopted);
    }
  }

  /** Does what is due to ask a program to end; nothing before it is to. */
  private void ask(ExternalDeviceHolder adopted) {
    if (!adopted.asking().hasBegun()) {
      return;
    }
    ProcStat process = adopted.process();
    List<ProcStat> members =
        family(adopted).stream()
            .filter(ProcFiles::isThere)
            .map(member -> ProcFiles.stat(member.pid()))
            .filter(Objects::nonNull)
            .toList();
    List<ProcStat> first = members.stream().filter(process::same).toList();
    TaskAsking.Step step = adopted.asking().next(members, first, clock.millis(), traits);
    step.send((one, signal) -> signal);
  }

  private static void signal(List<ProcStat> processes, int signal) {
    for (ProcStat process : processes) {
      Signaller.send(process, signal);
    }
  }

  /** Returns its process, the current descendants, and those at the time of the kill. */
  private List<ProcStat> family(ExternalDeviceHolder adopted) {
    Set<ProcStat> all = new LinkedHashSet<>(family(adopted.process()));
    all.addAll(ended(adopted));
    return List.copyOf(all);
  }

  /**
   * Returns a process and its descendants, the process first. Leaves out this service, which the
   * program may have started itself.
   */
  private static List<ProcStat> family(ProcStat root) {
    Set<Integer> service =
        ProcFiles.lineage(Posix.getpid()).stream().map(ProcStat::pid).collect(Collectors.toSet());
    List<ProcStat> all = new ArrayList<>();
    Deque<ProcStat> open = new ArrayDeque<>(List.of(root));
    while (!open.isEmpty()) {
      ProcStat next = open.remove();
      all.add(next);
      List<Integer> children = ProcFiles.children(next.pid());
      for (int child : children == null ? List.<Integer>of() : children) {
        ProcStat stat = service.contains(child) ? null : ProcFiles.stat(child);
        if (stat != null) {
          open.add(stat);
        }
      }
    }
    return all;
  }

  /** Returns all adopted programs that are not forgotten. */
  synchronized List<TaskView> views() {
    return byKey.values().stream().map(ExternalDeviceHolder::view).toList();
  }

  synchronized int live() {
    return (int) byKey.values().stream().filter(ExternalDeviceHolder::isLive).count();
  }

  /** Drops a program that has ended; keeps a live one. */
  synchronized void forget(String key) {
    ExternalDeviceHolder adopted = byKey.get(key);
    if (adopted != null && !adopted.isLive()) {
      byKey.remove(key);
    }
  }

  /** Refuses further programs and ends all. */
  void close(long graceMillis) {
    List<String> keys;
    synchronized (this) {
      closing = true;
      keys = List.copyOf(byKey.keySet());
    }
    keys.forEach(key -> kill(key, graceMillis));
  }
}
