package io.remuda.agent.keeper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What the keeper does, without its socket: it starts tasks, and ends itself when it is told to or
 * when nobody has needed it for a while. Any thread.
 */
final class Keeper {
  private static final long REFRESH_MILLIS = 3_600_000;
  private static final long GUARDIAN_MILLIS = 1000;

  /** Who asks for a start. */
  interface Asker {
    /** It waits for its seat; the answer comes later, on another thread. */
    void queued();

    /** What became of it; never said if its client has gone while it waited. */
    void answered(SpawnAnswer answer);
  }

  private final BootClock clock;
  private final TaskTable table;
  private final DeviceLocks locks;
  private final Guests guests;
  private final Spawner spawner;
  private final MemoryWatch memoryWatch;
  private final MemoryLimits limits;
  private final Warden warden;
  private final KeeperRecord record;
  private final LockLimit limit;
  private final Guardian guardian;
  private final long idleExitMillis;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Object spawning = new Object();
  private final SeatQueue queue = new SeatQueue();
  private final Starter starter = new Starter(this::startNext);
  private volatile Consumer<TaskView> listener = view -> {};
  private long newestClient;
  private int clients;
  private long lastNeeded;
  private long lastRefresh;
  private long lastGuardianLook;

  /**
   * Creates one.
   *
   * @param self this process
   * @param nodeFolder in which what is started is written down
   */
  Keeper(BootClock clock, Path lockFolder, ProcStat self, Path nodeFolder, long idleExitMillis)
      throws IOException {
    this.clock = clock;
    this.idleExitMillis = idleExitMillis;
    String mark = self.pid() + "." + self.startTicks();
    record = KeeperRecord.begin(nodeFolder, self);
    limit = LockLimit.ofKeeper(record.number());
    guardian = new Guardian(nodeFolder, record.number(), limit);
    table = new TaskTable(clock);
    locks = new DeviceLocks(lockFolder);
    guests = new Guests(clock, locks, view -> listener.accept(view));
    spawner = new Spawner(mark);
    TaskOwners owners = new TaskOwners(mark, record, table);
    ProcessTree tree = new ProcessTree(self.pid(), owners, guardian::pid);
    memoryWatch = new MemoryWatch(table, tree);
    limits = MemoryLimits.here(memoryWatch);
    warden =
        new Warden(
            table,
            tree,
            new RecentPids(self.pid()),
            locks,
            limits,
            this::exited,
            this::lookAfterItself);
    lastNeeded = clock.millis();
    lastRefresh = lastNeeded;
  }

  /** Starts the threads that reap and end tasks; those that end are told to the listener. */
  void start(Consumer<TaskView> exited) {
    listener = exited;
    startGuardian();
    daemon(new Reaper(table, clock), "reaper");
    daemon(warden, "warden");
    daemon(starter, "starter");
    daemon(memoryWatch, "memory");
  }

  /**
   * Starts a task, unless its key is known here or its folder holds its exit. If another task has
   * its seat, it starts when that is gone.
   *
   * @param expiresAtMillis of {@link BootClock}; later nothing is started
   * @param client the number of the one that asks; a word that an agent has left behind in its
   *     socket must not start what the next one, which knows better, has not asked for
   */
  void spawn(SpawnRequest request, long expiresAtMillis, long client, Asker asker) {
    SeatQueue.Waiting turn = new SeatQueue.Waiting(request, expiresAtMillis, client, asker);
    synchronized (spawning) {
      if (client < newestClient) {
        asker.answered(
            new SpawnAnswer.Refused(RefusalCode.EXPIRED, "another client has taken over"));
      } else if (isTaken(request.seat()) && known(request) == null) {
        queue.add(turn);
        asker.queued();
      } else {
        asker.answered(answer(turn, RefusalCode.EXPIRED));
      }
    }
  }

  private boolean isTaken(long seat) {
    return seat != 0 && (!queue.isEmpty(seat) || table.isTaken(seat));
  }

  private SpawnAnswer answer(SeatQueue.Waiting turn, RefusalCode late) {
    TaskView known = known(turn.request());
    if (known != null) {
      return new SpawnAnswer.Known(known);
    }
    if (clock.millis() > turn.expiresAtMillis()) {
      return new SpawnAnswer.Refused(late, "the request came too late");
    }
    try {
      return start(turn.request());
    } catch (SpawnFailure refused) {
      return new SpawnAnswer.Refused(refused.code(), refused.getMessage());
    }
  }

  /** The seat is free: starts the next that waits for it and can be started. */
  private void startNext(long seat) {
    synchronized (spawning) {
      while (!table.isTaken(seat) && !queue.isEmpty(seat)) {
        SeatQueue.Waiting next = queue.poll(seat);
        SpawnAnswer answer = guardedAnswer(next);
        try {
          next.asker().answered(answer);
        } catch (RuntimeException | OutOfMemoryError fault) { // the others still have their turn
          Log.line("keeper: " + next.request().key() + " cannot be answered: " + fault);
        }
      }
    }
  }

  /** A fault, as no memory, must not leave the seat to nobody. */
  private SpawnAnswer guardedAnswer(SeatQueue.Waiting next) {
    try {
      return answer(next, RefusalCode.NOT_BEGUN);
    } catch (RuntimeException | OutOfMemoryError fault) {
      String key = next.request().key();
      Log.line("keeper: the start of " + key + " failed: " + fault);
      TaskView begun = table.find(key);
      if (begun != null) {
        return new SpawnAnswer.Known(begun);
      }
      boolean mayPass = fault instanceof OutOfMemoryError;
      return new SpawnAnswer.Refused(
          mayPass ? RefusalCode.NOT_BEGUN : RefusalCode.LIMIT, "the keeper could not: " + fault);
    }
  }

  /** What waits under this key is not to be started any more; it is told so. */
  void withdraw(String key) {
    synchronized (spawning) {
      for (SeatQueue.Waiting gone : queue.remove(one -> one.request().key().equals(key))) {
        gone.asker().answered(new SpawnAnswer.Refused(RefusalCode.NOT_BEGUN, "withdrawn"));
      }
    }
  }

  private TaskView known(SpawnRequest request) {
    TaskView view = table.find(request.key());
    if (view != null) {
      return view;
    }
    try {
      Optional<ExitRecord> exit = ExitFile.read(request.taskFolder());
      if (exit.isPresent() && exit.get().key().equals(request.key())) {
        ExitRecord record = exit.get();
        return new TaskView(
            record.key(), record.pid(), record.startTicks(), TaskView.State.EXITED, record);
      }
    } catch (IOException unreadable) {
      Log.line("keeper: " + unreadable.getMessage());
    }
    return null;
  }

  private void exited(TaskView view, long seat) {
    record.ended(view.key());
    listener.accept(view);
    if (seat != 0) {
      starter.free(seat);
    }
  }

  private SpawnAnswer start(SpawnRequest request) throws SpawnFailure {
    List<DeviceLock> taken = locks.take(request.deviceLocks());
    if (!table.spawnBegins()) {
      locks.release(taken);
      throw new SpawnFailure(RefusalCode.SHUTTING_DOWN, "the keeper is ending");
    }
    Spawned spawned = null;
    boolean registered = false;
    try {
      long born = clock.millis();
      spawned = spawnRecorded(request, fds(taken));
      limits.started(new TaskMark(request.key(), spawned.pid(), spawned.startTicks()), request);
      Task task = table.register(request, spawned, born, taken);
      registered = true;
      for (DeviceLock lock : taken) {
        lock.name(spawned.pid(), request.key());
      }
      return new SpawnAnswer.Started(spawned.pid(), task.mark().startTicks());
    } finally {
      table.spawnEnds();
      if (!registered) {
        abandon(spawned, taken);
      }
    }
  }

  /** Whatever happens from here on, the next keeper finds the process and all that it starts. */
  private Spawned spawnRecorded(SpawnRequest request, List<Integer> inherited) throws SpawnFailure {
    Spawned spawned = null;
    try {
      long serial = record.begins(request.key());
      limit.next(serial);
      try {
        spawned = spawner.spawn(request, inherited);
      } finally {
        limit.next(0);
      }
      record.began(serial, spawned);
      return spawned;
    } catch (IOException unwritable) {
      if (spawned != null) {
        return spawned; // it has the mark in its limits, and its task is written down
      }
      throw new SpawnFailure(
          RefusalCode.OUTPUT_FILE, "the keeper's record cannot be written: " + unwritable);
    } finally {
      if (spawned == null) {
        record.ended(request.key());
      }
    }
  }

  /** Of what nobody will watch nothing stays. */
  private void abandon(Spawned spawned, List<DeviceLock> taken) {
    if (spawned != null) {
      Posix.kill(spawned.pid(), Posix.SIGKILL);
    }
    locks.release(taken);
  }

  private static List<Integer> fds(List<DeviceLock> locks) {
    return locks.stream().map(DeviceLock::fd).toList();
  }

  /**
   * Watches a program that runs already, unless its key is known here.
   *
   * @param client as for {@link #spawn}
   */
  SpawnAnswer adopt(AdoptRequest request, long client) {
    synchronized (spawning) {
      return client < newestClient
          ? new SpawnAnswer.Refused(RefusalCode.EXPIRED, "another client has taken over")
          : guests.adopt(request);
    }
  }

  /** A program that was adopted gives its devices back. */
  void release(String key) {
    guests.release(key);
  }

  void kill(String key, long graceMillis) {
    table.kill(key, graceMillis);
    guests.kill(key, graceMillis);
  }

  /** All tasks, with one that is being started right now. */
  List<TaskView> list() {
    synchronized (spawning) {
      List<TaskView> all = new ArrayList<>(table.views());
      all.addAll(guests.views());
      return all;
    }
  }

  /**
   * Numbers a client that has said hello. From now on it alone starts tasks: no earlier one does
   * once this has returned.
   */
  long clientGreeted() {
    synchronized (spawning) {
      newestClient++;
      queue.remove(any -> true); // its next agent asks for what is still wanted
      return newestClient;
    }
  }

  void renew(Collection<String> keys, long leaseMillis) {
    table.renew(keys, leaseMillis);
  }

  void forget(String key) {
    table.forget(key);
    guests.forget(key);
  }

  /** Ends all tasks within this grace or their own, if that is shorter; then the keeper ends. */
  void shutdown(long graceMillis) {
    guests.close(graceMillis);
    table.close(graceMillis);
  }

  /** Of all live tasks, in ms. */
  long longestGrace() {
    return table.longestGrace();
  }

  synchronized void clientCame() {
    clients++;
  }

  /**
   * A client is gone; what it has waiting does not start.
   *
   * @param number that it was given when it said hello, or 0
   */
  void clientLeft(long number) {
    synchronized (spawning) {
      queue.remove(waiting -> waiting.client() == number);
    }
    synchronized (this) {
      clients--;
      lastNeeded = clock.millis();
    }
  }

  /** False if it has not ended after so long. */
  boolean awaitEnd(long millis) throws InterruptedException {
    return ended.await(millis, TimeUnit.MILLISECONDS);
  }

  private void startGuardian() {
    synchronized (spawning) { // else it could get the mark of a task
      guardian.ensure();
    }
  }

  /** All is in order: nothing is left to the guardian and to the next keeper. */
  void leave() throws InterruptedException {
    synchronized (spawning) {
      guardian.dismiss();
    }
    record.remove();
  }

  private void lookAfterItself() {
    long now = clock.millis();
    if (now - lastGuardianLook >= GUARDIAN_MILLIS) {
      lastGuardianLook = now;
      if (!guardian.isThere()) {
        daemon(this::startGuardian, "guardian"); // this thread does not wait for a start
      }
    }
    if (now - lastRefresh > REFRESH_MILLIS) {
      lastRefresh = now;
      locks.refresh();
    }
    long idle = idleFor(now);
    // The door is closed first: a task accepted now would be left without its keeper.
    boolean free = guests.live() == 0;
    if (free && (table.closing() || idle > idleExitMillis) && table.closeIfCalm()) {
      ended.countDown();
    }
  }

  private synchronized long idleFor(long now) {
    if (clients > 0 || table.live() > 0 || guests.live() > 0) {
      lastNeeded = now;
    }
    return now - lastNeeded;
  }

  private static void daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }
}
