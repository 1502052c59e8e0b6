package io.remuda.agent.keeper;

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
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Programs that somebody else has started and that hold devices: each is watched until its process
 * ends or it gives them back. The keeper's own tasks are in {@link TaskTable}. Any thread.
 */
final class Guests {

  /** A thread that waits for a process looks so often whether it should go on. */
  private static final int LOOK_MILLIS = 100;

  private static final int ENDED_LIMIT = 20_000;

  private final BootClock clock;
  private final DeviceLocks locks;
  private final Consumer<TaskView> exited;
  private final Map<String, Guest> byKey = new LinkedHashMap<>();
  private boolean closing;

  /**
   * None yet.
   *
   * @param exited is told of each that holds nothing any more, once its devices are free
   */
  Guests(BootClock clock, DeviceLocks locks, Consumer<TaskView> exited) {
    this.clock = clock;
    this.locks = locks;
    this.exited = exited;
  }

  /** Watches a program from now on, unless its key is known here. */
  SpawnAnswer adopt(AdoptRequest request) {
    try {
      return watched(request);
    } catch (SpawnFailure refused) {
      return new SpawnAnswer.Refused(refused.code(), refused.getMessage());
    }
  }

  private synchronized SpawnAnswer watched(AdoptRequest request) throws SpawnFailure {
    Guest known = byKey.get(request.key());
    if (known != null) {
      return new SpawnAnswer.Known(known.view());
    }
    if (closing) {
      throw new SpawnFailure(RefusalCode.SHUTTING_DOWN, "the keeper is ending");
    }
    ProcStat process = process(request);
    List<DeviceLock> taken = locks.take(request.deviceLocks());
    Guest guest = new Guest(request, process, taken, clock.millis());
    byKey.put(request.key(), guest);
    taken.forEach(lock -> lock.name(process.pid(), request.key()));
    Thread watch = new Thread(() -> watch(guest), "guest-" + process.pid());
    watch.setDaemon(true);
    watch.start();
    return new SpawnAnswer.Started(process.pid(), process.startTicks());
  }

  private static ProcStat process(AdoptRequest request) throws SpawnFailure {
    ProcStat process = ProcFiles.stat((int) request.pid());
    if (process == null || process.dead() || process.startTicks() != request.startTicks()) {
      throw new SpawnFailure(RefusalCode.GONE, "process " + request.pid() + " has ended");
    }
    if (request.pid() == Posix.getpid()) {
      throw new SpawnFailure(
          RefusalCode.INVALID, "process " + request.pid() + " is one of this service's own");
    }
    try {
      int owner = (Integer) Files.getAttribute(Path.of("/proc/" + request.pid()), "unix:uid");
      if (owner != Posix.getuid() && Posix.getuid() != 0) {
        throw new SpawnFailure(
            RefusalCode.INVALID, "process " + request.pid() + " is another user's");
      }
    } catch (IOException vanished) {
      throw new SpawnFailure(RefusalCode.GONE, "process " + request.pid() + " has ended");
    }
    return process;
  }

  private void watch(Guest guest) {
    int pidfd = Posix.pidfd_open(guest.process().pid());
    try {
      while (isLive(guest)) {
        if (isGone(guest)) {
          finish(guest);
        } else if (isDueKill(guest)) {
          signal(family(guest), Posix.SIGKILL);
        }
        Posix.awaitEnd(pidfd, LOOK_MILLIS);
      }
    } finally {
      if (pidfd >= 0) {
        Posix.close(pidfd);
      }
    }
  }

  /** One that is ended takes with it what was below it. */
  private boolean isGone(Guest guest) {
    return !ProcFiles.isThere(guest.process())
        && ended(guest).stream().noneMatch(ProcFiles::isThere);
  }

  private synchronized List<ProcStat> ended(Guest guest) {
    return guest.family();
  }

  private synchronized boolean isLive(Guest guest) {
    return guest.isLive();
  }

  private synchronized boolean isDueKill(Guest guest) {
    return guest.isDueKill(clock.millis());
  }

  /** It gives its devices back and runs on. An unknown key is no error. */
  void release(String key) {
    Guest guest = find(key);
    if (guest != null) {
      finish(guest);
    }
  }

  private synchronized Guest find(String key) {
    return byKey.get(key);
  }

  private void finish(Guest guest) {
    TaskView view;
    synchronized (this) {
      if (!guest.isLive()) {
        return;
      }
      ExitRecord record = guest.ended(clock.millis());
      try {
        ExitFile.write(guest.request().taskFolder(), record);
      } catch (IOException unwritable) {
        Log.line("keeper: no exit record of " + record.key() + ": " + unwritable);
      }
      locks.release(guest.locks());
      view = guest.view();
      dropOldestEnded();
      notifyAll();
    }
    exited.accept(view);
  }

  private void dropOldestEnded() {
    if (byKey.size() > ENDED_LIMIT) {
      byKey.values().stream()
          .filter(guest -> !guest.isLive())
          .findFirst()
          .ifPresent(oldest -> byKey.remove(oldest.request().key()));
    }
  }

  /** Ends a program: SIGTERM to its process and all below it, after the grace SIGKILL. */
  void kill(String key, long graceMillis) {
    Guest guest = find(key);
    if (guest == null || !isLive(guest)) {
      return;
    }
    List<ProcStat> all = family(guest);
    synchronized (this) {
      guest.kill(graceMillis, clock.millis(), all);
    }
    signal(all, Posix.SIGTERM);
  }

  private static void signal(List<ProcStat> processes, int signal) {
    for (ProcStat process : processes) {
      Signaller.send(process, signal);
    }
  }

  /** What descends from it now, and what did when it was told to end. */
  private List<ProcStat> family(Guest guest) {
    Set<ProcStat> all = new LinkedHashSet<>(family(guest.process()));
    all.addAll(ended(guest));
    return List.copyOf(all);
  }

  /**
   * A process and what descends from it, it first; without this service, which a program may have
   * started itself.
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

  /** Of all that were adopted and are not forgotten. */
  synchronized List<TaskView> views() {
    return byKey.values().stream().map(Guest::view).toList();
  }

  synchronized int live() {
    return (int) byKey.values().stream().filter(Guest::isLive).count();
  }

  /** Drops one that has ended; a live one stays. */
  synchronized void forget(String key) {
    Guest guest = byKey.get(key);
    if (guest != null && !guest.isLive()) {
      byKey.remove(key);
    }
  }

  /** Takes no more and ends all. */
  void close(long graceMillis) {
    List<String> keys;
    synchronized (this) {
      closing = true;
      keys = List.copyOf(byKey.keySet());
    }
    keys.forEach(key -> kill(key, graceMillis));
  }
}
