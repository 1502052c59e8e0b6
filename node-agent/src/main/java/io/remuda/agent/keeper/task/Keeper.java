package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.AdoptRequest;
import io.remuda.agent.keeper.ExitFile;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.limit.DeviceLock;
import io.remuda.agent.keeper.limit.DeviceLocks;
import io.remuda.agent.keeper.proc.BootClock;
import io.remuda.agent.keeper.proc.KeeperLog;
import io.remuda.agent.keeper.proc.LockLimit;
import io.remuda.agent.keeper.proc.OutputFiles;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.ProgramLookup;
import io.remuda.agent.keeper.proc.RecentPids;
import io.remuda.agent.keeper.proc.SpawnFailure;
import io.remuda.agent.keeper.proc.SpawnedProcess;
import io.remuda.agent.keeper.proc.Spawner;
import io.remuda.agent.keeper.proc.TaskMark;
import io.remuda.agent.keeper.proc.TransientFaults;
import io.remuda.agent.keeper.sweep.Guardian;
import io.remuda.agent.keeper.sweep.KeeperRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private static final String WITHDRAWN = "withdrawn";

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
  private final AdoptedProcesses adopted;
  private final Spawner spawner;
  private final MemoryWatch memoryWatch;
  private final MemoryLimits limits;
  private final TaskTerminator terminator;
  private final KeeperRecord record;
  private final LockLimit limit;
  private final Guardian guardian;
  private final long idleExitMillis;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Object spawning = new Object();
  private final Object oneAtATime = new Object();
  private final SlotQueue queue = new SlotQueue();
  private final SlotStarter starter;
  private final AtomicBoolean startsGuardian = new AtomicBoolean();
  private final ExitRecorder recorder = new ExitRecorder();

  /** Starts under way, by key; guarded by {@link #spawning}. */
  private final Map<String, PendingStart> starts = new LinkedHashMap<>();

  /** Programs about to be adopted, by key, and whether they have been released already. */
  private final Map<String, Boolean> adoptions = new HashMap<>();

  private volatile Consumer<TaskView> listener = view -> {};
  private long newestClient;
  private int clients;
  private long lastNeeded;
  private long lastRefresh;
  private long lastLockCheck;
  private long lastGuardianLook;

  /**
   * @param self this process
   * @param nodeFolder holds the record of what is started
   * @param idleExitMillis how long it may have neither clients nor tasks
   */
  public Keeper(
      BootClock clock, Path lockFolder, ProcStat self, Path nodeFolder, long idleExitMillis)
      throws IOException {
    this.clock = clock;
    this.idleExitMillis = idleExitMillis;
    String mark = self.pid() + "." + self.startTicks();
    record = KeeperRecord.begin(nodeFolder, self);
    limit = LockLimit.ofKeeper(record.number());
    guardian = new Guardian(nodeFolder, record.number(), limit);
    table = new KeeperTasks(clock);
    locks = new DeviceLocks(lockFolder);
    adopted = new AdoptedProcesses(clock, locks, recorder, view -> listener.accept(view));
    spawner = new Spawner(mark);
    starter = new SlotStarter(clock);
    TaskOwners owners = new TaskOwners(mark, record, table);
    ProcessTree tree = new ProcessTree(self.pid(), owners, guardian::pid);
    memoryWatch = new MemoryWatch(table, tree, recorder);
    limits = MemoryLimits.here(memoryWatch);
    terminator =
        new TaskTerminator(
            table,
            tree,
            new RecentPids(self.pid()),
            locks,
            limits,
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
    daemon(new Reaper(table, clock), "reaper");
    daemon(terminator, "terminator");
    recorder.start();
    daemon(memoryWatch, "memory");
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
    SlotQueue.Waiting turn = new SlotQueue.Waiting(request, expiresAtMillis, client, asker);
    synchronized (spawning) {
      TaskView known = known(request.key());
      if (client < newestClient) {
        asker.answered(
            new SpawnAnswer.Refused(RefusalCode.EXPIRED, "another client has taken over"));
      } else if (known != null) {
        asker.answered(new SpawnAnswer.Known(known));
      } else if (isTaken(request.slot())) {
        queue.add(turn);
        asker.queued();
      } else {
        begin(new PendingStart(turn, RefusalCode.EXPIRED, clock.millis()));
      }
    }
  }

  /** Returns the task or the start under way with this key; null if there is none. */
  private TaskView known(String key) {
    TaskView view = table.find(key);
    PendingStart start = starts.get(key);
    return view == null && start != null && !start.isUnwanted() ? start.view() : view;
  }

  private boolean isTaken(long slot) {
    return slot != 0 && (!queue.isEmpty(slot) || isBusy(slot));
  }

  /** Returns whether a task or a start under way holds the slot. */
  private boolean isBusy(long slot) {
    return table.isTaken(slot)
        || starts.values().stream().anyMatch(start -> start.request().slot() == slot);
  }

  private void begin(PendingStart start) {
    starts.put(start.key(), start);
    starter.add(() -> carryOut(start));
  }

  /** Runs on a thread of the starter, which may wait for a disk. */
  private void carryOut(PendingStart start) {
    SpawnAnswer answer = guardedAnswer(start);
    boolean wasListed;
    synchronized (spawning) {
      starts.remove(start.key(), start); // a new start may have its key if this one was withdrawn
      wasListed = start.isListed();
      if (start.killGraceMillis() >= 0) {
        table.kill(start.key(), start.killGraceMillis());
      }
    }
    try {
      start.turn().asker().answered(answer);
      if (wasListed && answer instanceof SpawnAnswer.Refused) {
        listener.accept(start.ended());
      }
    } catch (RuntimeException | OutOfMemoryError fault) { // the next start must still run
      KeeperLog.line("keeper: " + start.key() + " cannot be answered: " + fault);
    }
    startNext(start.request().slot());
  }

  /** Starts the next request that waits for the slot, if the slot is free. */
  private void startNext(long slot) {
    synchronized (spawning) {
      if (slot != 0 && !isBusy(slot) && !queue.isEmpty(slot)) {
        begin(new PendingStart(queue.poll(slot), RefusalCode.NOT_BEGUN, clock.millis()));
      }
    }
  }

  /** Turns a fault, such as no memory, into an answer, so that the slot is passed on. */
  private SpawnAnswer guardedAnswer(PendingStart start) {
    try {
      return answer(start);
    } catch (RuntimeException | OutOfMemoryError fault) {
      KeeperLog.line("keeper: the start of " + start.key() + " failed: " + fault);
      TaskView begun = table.find(start.key());
      if (begun != null) {
        return new SpawnAnswer.Known(begun);
      }
      boolean mayPass = fault instanceof OutOfMemoryError;
      return new SpawnAnswer.Refused(
          mayPass ? RefusalCode.NOT_BEGUN : RefusalCode.LIMIT, "the keeper failed: " + fault);
    }
  }

  private SpawnAnswer answer(PendingStart start) {
    try {
      TaskView over = ended(start.request());
      return over == null ? start(start) : new SpawnAnswer.Known(over);
    } catch (SpawnFailure refused) {
      return new SpawnAnswer.Refused(refused.code(), refused.getMessage());
    }
  }

  /** Refuses requests with this key that have not begun to spawn. */
  public void withdraw(String key) {
    synchronized (spawning) {
      for (SlotQueue.Waiting gone : queue.remove(one -> one.request().key().equals(key))) {
        gone.asker().answered(new SpawnAnswer.Refused(RefusalCode.NOT_BEGUN, WITHDRAWN));
      }
      PendingStart start = starts.get(key);
      if (start != null) {
        start.withdraw(); // its thread answers the request
      }
    }
  }

  /** Returns the task of that folder that has ended and was forgotten; null if there is none. */
  private static TaskView ended(SpawnRequest request) {
    try {
      Optional<ExitRecord> exit = ExitFile.read(request.taskFolder());
      if (exit.isPresent() && exit.get().key().equals(request.key())) {
        ExitRecord record = exit.get();
        return new TaskView(
            record.key(), record.pid(), record.startTicks(), TaskView.State.EXITED, record);
      }
    } catch (IOException unreadable) {
      KeeperLog.line("keeper: " + unreadable.getMessage());
    }
    return null;
  }

  private void exited(TaskView view, long slot) {
    record.ended(view.key());
    listener.accept(view);
    startNext(slot);
  }

  /** Does what may wait for a disk first, and then what must not. */
  private SpawnAnswer start(PendingStart start) throws SpawnFailure {
    SpawnRequest request = start.request();
    requireWanted(start);
    String program = ProgramLookup.locate(request);
    ProgramLookup.touch(program, request.workingFolder());
    List<DeviceLock> taken = locks.take(request.deviceLocks());
    try (OutputFiles outputs = OutputFiles.open(request)) {
      return start(start, program, outputs, taken);
    } catch (SpawnFailure | RuntimeException | Error failure) {
      if (table.find(request.key()) == null) {
        locks.release(taken);
      }
      throw failure;
    }
  }

  private void requireWanted(PendingStart start) throws SpawnFailure {
    if (clock.millis() > start.turn().expiresAtMillis()) {
      throw new SpawnFailure(start.late(), "the request came too late");
    }
    synchronized (spawning) {
      if (start.isUnwanted()) {
        throw new SpawnFailure(RefusalCode.NOT_BEGUN, WITHDRAWN);
      }
    }
  }

  private SpawnAnswer start(
      PendingStart start, String program, OutputFiles outputs, List<DeviceLock> taken)
      throws SpawnFailure {
    SpawnRequest request = start.request();
    SpawnedProcess spawned = null;
    try {
      long serial = record.begins(request.key());
      spawned = startNow(start, program, outputs, taken, serial);
      record.began(serial, spawned);
    } catch (IOException unwritable) {
      if (spawned == null) { // else its limits and the first line of the record identify it
        throw new SpawnFailure(
            TransientFaults.isOne(unwritable) ? RefusalCode.SHORTAGE : RefusalCode.OUTPUT_FILE,
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
      PendingStart start, String program, OutputFiles outputs, List<DeviceLock> taken, long serial)
      throws SpawnFailure {
    boolean wanted;
    synchronized (spawning) {
      wanted = start.spawns();
    }
    if (!wanted || !table.spawnBegins()) {
      throw wanted
          ? new SpawnFailure(RefusalCode.SHUTTING_DOWN, "the keeper is ending")
          : new SpawnFailure(RefusalCode.NOT_BEGUN, WITHDRAWN);
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

  /** Sets the limits of this process to the mark of the task, since the child inherits them. */
  private SpawnedProcess spawn(
      SpawnRequest request,
      String program,
      OutputFiles outputs,
      List<Integer> inherited,
      long serial)
      throws SpawnFailure {
    synchronized (oneAtATime) {
      limit.next(serial);
      try {
        return spawner.spawn(request, program, outputs, inherited);
      } finally {
        limit.next(0);
      }
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

  /**
   * Watches a running program, unless its key is known here.
   *
   * @param client as for {@link #spawn}
   * @param told called with the answer, on another thread
   */
  public void adopt(AdoptRequest request, long client, Consumer<SpawnAnswer> told) {
    synchronized (spawning) {
      adoptions.put(request.key(), false);
    }
    starter.add(() -> told.accept(adopted(request, client)));
  }

  private SpawnAnswer adopted(AdoptRequest request, long client) {
    boolean taken;
    synchronized (spawning) {
      taken = client == newestClient;
    }
    SpawnAnswer answer =
        taken
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

  public void kill(String key, long graceMillis) {
    synchronized (spawning) {
      PendingStart start = starts.get(key);
      if (start != null) {
        start.kill(graceMillis);
      }
    }
    table.kill(key, graceMillis);
    adopted.kill(key, graceMillis);
  }

  /** Returns all tasks and adopted programs, and starts whose process may already exist. */
  public List<TaskView> list() {
    synchronized (spawning) {
      List<TaskView> all = new ArrayList<>(table.views());
      for (PendingStart start : starts.values()) {
        if (start.isSpawning() && table.find(start.key()) == null) {
          all.add(start.view());
        }
      }
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
    synchronized (spawning) {
      newestClient++;
      queue.remove(any -> true);
      starts.values().forEach(PendingStart::withdraw);
      return newestClient;
    }
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
    synchronized (spawning) {
      queue.remove(waiting -> waiting.client() == number);
    }
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
        daemon(this::startGuardian, "guardian"); // this thread must not wait for a start
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
    synchronized (spawning) {
      starts.values().forEach(start -> start.sayIfSlow(now));
    }
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

  private static void daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }
}
