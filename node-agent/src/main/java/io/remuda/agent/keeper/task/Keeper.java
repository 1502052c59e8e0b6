package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.DeviceHoldRequest;
import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.limit.DeviceLocks;
import io.remuda.agent.keeper.limit.SharedMemorySegments;
import io.remuda.agent.keeper.proc.BootClock;
import io.remuda.agent.keeper.proc.EndedTaskProcessCheck;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.RlimitProcessMark;
import io.remuda.agent.keeper.proc.Spawner;
import io.remuda.agent.keeper.sweep.Guardian;
import io.remuda.agent.keeper.sweep.KeeperProcessJournal;
import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The keeper without its socket. It starts tasks, and ends when it is told to or when it has had
 * neither clients nor tasks for a while. Any thread.
 */
public final class Keeper {
  private static final long REFRESH_MILLIS = 3_600_000;
  private static final long GUARDIAN_MILLIS = 1000;
  private static final long LOCK_CHECK_MILLIS = 10_000;

  /** The requester of a start. */
  public interface Asker {
    /** Called if the task waits for its slot or its start is slow; the answer follows later. */
    void queued();

    /** Called with the result; not if the client left, or was replaced, while it waited. */
    void answered(SpawnAnswer answer);
  }

  private final BootClock clock;
  private final KeeperTasks table;
  private final DeviceLocks locks;
  private final ExternalDeviceHolders adopted;
  private final MemoryWatch memoryWatch;
  private final TaskTerminator terminator;
  private final KeeperProcessJournal record;
  private final Guardian guardian;
  private final long idleExitMillis;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Object spawning = new Object();
  private final Object oneAtATime = new Object();
  private final PendingStarts starts;
  private final TaskStartPool starter;
  private final AtomicBoolean startsGuardian = new AtomicBoolean();
  private final ExitRecorder recorder = new ExitRecorder();

  /** Programs about to be adopted, by key, and whether they have been released already. */
  private final Map<String, Boolean> adoptions = new HashMap<>();

  private volatile Consumer<TaskView> listener = view -> {};
  private int clients;
  private long lastNeeded;
  private long lastRefresh;
  private long lastLockCheck;
  private long lastGuardianLook;

  /**
   * @param self this process
   * @param nodeFolder holds the record of what is started
   * @param segments what killed tasks leave in shared memory
   * @param idleExitMillis how long it may have neither clients nor tasks
   */
  public Keeper(
      BootClock clock,
      Path lockFolder,
      ProcStat self,
      Path nodeFolder,
      SharedMemorySegments segments,
      long idleExitMillis)
      throws IOException {
    this.clock = clock;
    this.idleExitMillis = idleExitMillis;
    String mark = self.pid() + "." + self.startTicks();
    record = KeeperProcessJournal.begin(nodeFolder, self);
    RlimitProcessMark limit = RlimitProcessMark.ofKeeper(record.number());
    guardian = new Guardian(nodeFolder, record.number(), limit);
    table = new KeeperTasks(clock);
    locks = new DeviceLocks(lockFolder);
    adopted = new ExternalDeviceHolders(clock, locks, recorder, view -> listener.accept(view));
    starter = new TaskStartPool(clock);
    DetachedProcessTaskLookup owners = new DetachedProcessTaskLookup(mark, record, table);
    TaskProcessFinder tree = new TaskProcessFinder(self.pid(), owners, guardian::pid);
    memoryWatch = new MemoryWatch(table, tree, recorder, clock, nodeFolder);
    MemoryLimits limits = MemoryLimits.here(memoryWatch);
    starts =
        new PendingStarts(
            clock,
            table,
            starter,
            new TaskSpawn(
                clock,
                table,
                locks,
                record,
                limit,
                limits,
                new Spawner(mark),
                spawning,
                oneAtATime),
            spawning,
            view -> listener.accept(view));
    terminator =
        new TaskTerminator(
            table,
            tree,
            new EndedTaskProcessCheck(self.pid()),
            locks,
            limits,
            segments,
            recorder,
            this::exited,
            this::lookAfterItself);
    lastNeeded = clock.millis();
    lastRefresh = lastNeeded;
  }

  /** Starts the reaping and ending threads; {@code exited} is called for each task that ended. */
  public void start(Consumer<TaskView> exited) {
    listener = exited;
    startGuardian();
    DaemonThread.start("reaper", new Reaper(table, clock));
    DaemonThread.start("terminator", terminator);
    recorder.start();
    DaemonThread.start("memory", memoryWatch);
  }

  private void exited(TaskView view, long slot) {
    record.ended(view.key());
    listener.accept(view);
    starts.startNext(slot);
  }

  /**
   * Starts a task, unless its key is known here or its folder holds its exit. If another task holds
   * its slot, it starts when that task is gone. Never waits for a disk.
   *
   * @param expiresAtMillis of {@link BootClock}; the task does not start after that
   * @param client number of the client. Requests of a replaced client are refused: a request that
   *     an old agent left in its socket must not start what the new agent has not asked for
   */
  public void spawn(SpawnRequest request, long expiresAtMillis, long client, Asker asker) {
    starts.spawn(request, expiresAtMillis, client, asker);
  }

  /** Refuses requests with this key that have not begun to spawn. */
  public void withdraw(String key) {
    starts.withdraw(key);
  }

  /**
   * Watches a running program, unless its key is known here.
   *
   * @param client as for {@link #spawn}
   * @param told called with the answer, on another thread
   */
  public void adopt(DeviceHoldRequest request, long client, Consumer<SpawnAnswer> told) {
    synchronized (spawning) {
      adoptions.put(request.key(), false);
    }
    starter.add(() -> told.accept(adopted(request, client)));
  }

  private SpawnAnswer adopted(DeviceHoldRequest request, long client) {
    SpawnAnswer answer =
        starts.isNewest(client)
            ? adopted.adopt(request)
            : new SpawnAnswer.Refused(RefusalCode.EXPIRED, "another client has taken over");
    boolean released;
    synchronized (spawning) {
      released = Boolean.TRUE.equals(adoptions.remove(request.key()));
    }
    if (released) {
      adopted.release(request.key());
    }
    return answer;
  }

  /** Frees the devices of a program that was adopted or is about to be; it continues. */
  public void release(String key) {
    synchronized (spawning) {
      if (adoptions.replace(key, true) != null) {
        return;
      }
    }
    adopted.release(key);
  }

  /**
   * Asks a task to end by this signal; SIGKILL follows after the grace. An adopted program is ended
   * as by {@link #kill}.
   */
  public void end(String key, EndingSignal how, long graceMillis) {
    starts.kill(key, graceMillis);
    table.end(key, how, graceMillis);
    adopted.kill(key, graceMillis);
  }

  /** Asks a task to end by SIGTERM, as its request has it; SIGKILL follows after the grace. */
  public void kill(String key, long graceMillis) {
    starts.kill(key, graceMillis);
    table.kill(key, graceMillis);
    adopted.kill(key, graceMillis);
  }

  /** Returns all tasks and adopted programs, and starts whose process may already exist. */
  public List<TaskView> list() {
    synchronized (spawning) {
      List<TaskView> all = new ArrayList<>(table.views());
      all.addAll(starts.views());
      all.addAll(adopted.views());
      return all;
    }
  }

  /**
   * Numbers a client that has sent its hello. From now on only this client starts tasks: requests
   * of earlier ones without a process yet are dropped. Its agent requests again what is still
   * wanted.
   */
  public long clientGreeted() {
    return starts.clientGreeted();
  }

  public void renew(Collection<String> keys, long contactMillis) {
    table.renew(keys, contactMillis);
  }

  public void forget(String key) {
    table.forget(key);
    adopted.forget(key);
  }

  /** Ends all tasks within this grace, or their own if shorter; then the keeper ends. */
  public void shutdown(long graceMillis) {
    adopted.close(graceMillis);
    table.close(graceMillis);
  }

  /** Returns the longest grace of the live tasks, in ms. */
  public long longestGrace() {
    return table.longestGrace();
  }

  public synchronized void clientCame() {
    clients++;
  }

  /**
   * Drops the waiting requests of a client that has disconnected.
   *
   * @param number that {@link #clientGreeted} returned for it, or 0
   */
  public void clientLeft(long number) {
    starts.clientLeft(number);
    synchronized (this) {
      clients--;
      lastNeeded = clock.millis();
    }
  }

  /** Returns false if the keeper has not ended after {@code millis}. */
  public boolean awaitEnd(long millis) throws InterruptedException {
    return ended.await(millis, TimeUnit.MILLISECONDS);
  }

  private void startGuardian() {
    try {
      synchronized (oneAtATime) { // else it could inherit the mark of a task
        guardian.ensure();
      }
    } finally {
      startsGuardian.set(false);
    }
  }

  /** Dismisses the guardian and deletes the record, since no process is left. */
  public void leave() throws InterruptedException {
    synchronized (oneAtATime) {
      guardian.dismiss();
    }
    record.remove();
  }

  private void lookAfterItself() {
    long now = clock.millis();
    if (now - lastGuardianLook >= GUARDIAN_MILLIS) {
      lastGuardianLook = now;
      if (!guardian.isThere() && startsGuardian.compareAndSet(false, true)) {
        DaemonThread.start(
            "guardian", this::startGuardian); // this thread must not wait for a start
      }
    }
    if (now - lastRefresh > REFRESH_MILLIS) {
      lastRefresh = now;
      recorder.add(locks::refresh);
    }
    if (now - lastLockCheck > LOCK_CHECK_MILLIS) {
      lastLockCheck = now;
      recorder.add(locks::check);
    }
    starter.look();
    starts.saySlow(now);
    long idle = idleFor(now);
    // closeIfCalm refuses new tasks first: a task accepted now would lose its keeper.
    boolean free = adopted.live() == 0;
    if (free && (table.closing() || idle > idleExitMillis) && table.closeIfCalm()) {
      ended.countDown();
    }
  }

  private synchronized long idleFor(long now) {
    if (clients > 0 || table.live() > 0 || adopted.live() > 0 || starter.open() > 0) {
      lastNeeded = now;
    }
    return now - lastNeeded;
  }
}
