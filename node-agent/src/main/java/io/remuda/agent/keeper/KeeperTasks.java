package io.remuda.agent.keeper;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All tasks that the keeper knows, and the only place where their state changes. Any thread.
 *
 * <p>A process may end and be reaped before its spawner has registered it; what is reaped meanwhile
 * and known to nobody is kept as a stray until no spawn is under way.
 */
final class KeeperTasks {
  /** The keeper may have grown by less than this since its own peak was read last. */
  private static final long NEAR_BYTES = 64L << 20;

  /** The peak of the keeper itself, with which the kernel's count of each child begins. */
  private long inheritedPeak = ownPeak();

  /** Beyond this many ended and unforgotten tasks the oldest are dropped; their files stay. */
  private static final int ENDED_LIMIT = 20_000;

  /** Nobody waits for longer for a start that is under way. */
  private static final long LONGEST_SPAWN_MILLIS = 100;

  private final BootClock clock;
  private final Map<String, KeeperTask> byKey = new LinkedHashMap<>();
  private final Map<String, KeeperTask> liveTasks = new LinkedHashMap<>();
  private final Map<Integer, KeeperTask> byLeader = new HashMap<>();
  private final Map<Integer, ReapedProcess> strays = new HashMap<>();
  private int spawnsUnderWay;
  private long spawnsBegun;
  private long births;
  private boolean closing;
  private boolean workWaits;

  /** A process that was reaped, and how it looked just before. */
  record ReapedProcess(ProcStat stat, ExitStatus status, ResourceUsage usage, long atMillis) {}

  /**
   * A task whose tree is to be looked at.
   *
   * @param leaderEnded as it was before the look
   * @param ageMillis since its start
   */
  record SpawnIntent(KeeperTask task, boolean leaderEnded, long ageMillis) {}

  KeeperTasks(BootClock clock) {
    this.clock = clock;
  }

  /** Null if the key is unknown. */
  synchronized TaskView find(String key) {
    KeeperTask task = byKey.get(key);
    return task == null ? null : task.view();
  }

  synchronized List<TaskView> views() {
    List<TaskView> views = new ArrayList<>(byKey.size());
    for (KeeperTask task : byKey.values()) {
      views.add(task.view());
    }
    return views;
  }

  synchronized int live() {
    return liveTasks.size();
  }

  /** Whether a task of the slot has not ended. */
  synchronized boolean isTaken(long slot) {
    for (KeeperTask task : liveTasks.values()) {
      if (task.request().slot() == slot) {
        return true;
      }
    }
    return false;
  }

  synchronized boolean closing() {
    return closing;
  }

  /** Takes no more tasks if there is none now; false if there is. */
  synchronized boolean closeIfCalm() {
    closing |= calm() >= 0;
    return calm() >= 0;
  }

  /** False if no more tasks are taken; otherwise {@link #spawnEnds} has to follow. */
  synchronized boolean spawnBegins() {
    if (closing) {
      return false;
    }
    spawnsUnderWay++;
    spawnsBegun++;
    return true;
  }

  /**
   * A number that stays the same as long as there is no task and none is being started; -1 while
   * there is. A child seen between two equal ones belongs to no task.
   */
  synchronized long calm() {
    return spawnsUnderWay == 0 && liveTasks.isEmpty() ? spawnsBegun : -1;
  }

  synchronized void spawnEnds() {
    if (--spawnsUnderWay == 0) {
      strays.clear();
      notifyAll();
    }
  }

  /** Whether the pid is that of a living leader; waits for one that is just being started. */
  synchronized boolean leads(int pid) {
    long deadline = clock.millis() + LONGEST_SPAWN_MILLIS;
    try {
      while (!byLeader.containsKey(pid) && spawnsUnderWay > 0) {
        long left = deadline - clock.millis();
        if (left <= 0) {
          return false;
        }
        wait(left);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    return byLeader.containsKey(pid);
  }

  /**
   * Takes in what was started; wakes the reaper. The request is kept without argv and environment.
   */
  synchronized KeeperTask register(
      SpawnRequest request, SpawnedProcess spawned, long bornMillis, List<DeviceLock> locks) {
    ReapedProcess stray = strays.remove(spawned.pid());
    long ticks = stray == null ? spawned.startTicks() : stray.stat().startTicks();
    TaskMark mark = new TaskMark(request.key(), spawned.pid(), ticks);
    KeeperTask task = new KeeperTask(mark, slim(request), bornMillis, locks);
    byKey.put(request.key(), task);
    liveTasks.put(request.key(), task);
    births++;
    if (stray == null) {
      byLeader.put(spawned.pid(), task);
    } else {
      task.leaderEnded(stray.status(), stray.usage(), stray.atMillis());
    }
    if (closing) {
      task.kill(0, clock.millis());
    }
    wake();
    return task;
  }

  /** How many tasks were started so far. */
  synchronized long births() {
    return births;
  }

  /** Waits until more than {@code seen} were started: only then can there be children again. */
  synchronized void awaitBirth(long seen) throws InterruptedException {
    while (births == seen) {
      wait();
    }
  }

  /** Takes in what the reaper has reaped. */
  synchronized void reaped(ReapedProcess reaped) {
    KeeperTask task = byLeader.remove(reaped.stat().pid());
    if (task != null) {
      task.began(reaped.stat().startTicks());
      task.leaderEnded(reaped.status(), reaped.usage(), reaped.atMillis());
    } else {
      addOrphan(reaped);
    }
    wake();
  }

  private void addOrphan(ReapedProcess reaped) {
    if (spawnsUnderWay > 0) {
      strays.put(reaped.stat().pid(), reaped);
    }
    KeeperTask owner = byLeader.get(reaped.stat().session());
    if (owner != null) {
      owner.addUsage(reaped.usage());
    }
  }

  /** Ends a task within its own grace, or this one if that is shorter. */
  synchronized void kill(String key, long graceMillis) {
    KeeperTask task = liveTasks.get(key);
    if (task != null) {
      task.kill(Math.min(graceMillis, task.request().graceMillis()), clock.millis());
      wake();
    }
  }

  synchronized void renew(Collection<String> keys, long contactMillis) {
    for (String key : keys) {
      KeeperTask task = liveTasks.get(key);
      if (task != null) {
        task.renew(contactMillis, clock.millis());
      }
    }
  }

  /** Drops an ended task; a live one stays. */
  synchronized void forget(String key) {
    KeeperTask task = byKey.get(key);
    if (task != null && !task.live()) {
      byKey.remove(key);
    }
  }

  /** Takes no more tasks and ends all, each within its own grace or this one if that is shorter. */
  synchronized void close(long graceMillis) {
    closing = true;
    for (KeeperTask task : liveTasks.values()) {
      task.kill(Math.min(graceMillis, task.request().graceMillis()), clock.millis());
    }
    wake();
  }

  synchronized long longestGrace() {
    long longest = 0;
    for (KeeperTask task : liveTasks.values()) {
      longest = Math.max(longest, task.request().graceMillis());
    }
    return longest;
  }

  /** Expires what is due and gives the tasks whose trees have to be looked at. */
  synchronized List<SpawnIntent> wanted() {
    long now = clock.millis();
    List<SpawnIntent> wanted = new ArrayList<>();
    for (KeeperTask task : liveTasks.values()) {
      task.expireLease(now);
      if (task.wantsAttention()) {
        wanted.add(new SpawnIntent(task, task.leaderEnded(), task.ageMillis(now)));
      }
    }
    return wanted;
  }

  /**
   * The key of the task that has a file for its output or, if it is the only one of that device,
   * for its lock; else null.
   */
  synchronized String keyOfFile(String path) {
    String key = null;
    int owners = 0;
    for (KeeperTask task : liveTasks.values()) {
      if (task.prints(path)) {
        return task.mark().key();
      } else if (task.locks().stream().anyMatch(lock -> lock.isIn(path))) {
        key = task.mark().key();
        owners++;
      }
    }
    return owners == 1 ? key : null;
  }

  /** Living leaders of all tasks. */
  synchronized Set<Integer> leaders() {
    return new HashSet<>(byLeader.keySet());
  }

  /** Returns the first processes to which their signal is due now, each with its number, once. */
  synchronized Map<TaskMark, Integer> takeSignals() {
    long now = clock.millis();
    Map<TaskMark, Integer> due = new LinkedHashMap<>();
    for (KeeperTask task : liveTasks.values()) {
      if (task.takeSignal(now)) {
        due.put(task.mark(), task.request().signal());
      }
    }
    return due;
  }

  /** Returns the tasks whose first processes have run for so long. */
  synchronized List<TaskMark> runningFor(long millis) {
    long now = clock.millis();
    List<TaskMark> marks = new ArrayList<>();
    for (KeeperTask task : liveTasks.values()) {
      if (!task.leaderEnded() && task.ageMillis(now) >= millis) {
        marks.add(task.mark());
      }
    }
    return marks;
  }

  /** Whether all tasks have run for so long. */
  synchronized boolean areSettled(long millis) {
    long now = clock.millis();
    return liveTasks.values().stream().allMatch(task -> task.ageMillis(now) >= millis);
  }

  /** Notes how much memory the processes of a task were seen to hold. */
  synchronized void notePeak(String key, long bytes) {
    KeeperTask task = liveTasks.get(key);
    if (task != null) {
      task.notePeak(bytes);
    }
  }

  /** Living leaders of all tasks but these. */
  synchronized Set<Integer> otherLeaders(List<SpawnIntent> wanted) {
    Set<Integer> others = new HashSet<>(byLeader.keySet());
    for (SpawnIntent one : wanted) {
      others.remove(one.task().mark().leader());
    }
    return others;
  }

  /** Milliseconds to the next lease that runs out, at most {@code limit}. */
  synchronized long nextContactEnd(long limit) {
    long now = clock.millis();
    long next = limit;
    for (KeeperTask task : liveTasks.values()) {
      next = Math.min(next, Math.min(task.contactLeft(now), task.signalLeft(now)));
    }
    return Math.max(next, 0);
  }

  /** Milliseconds until SIGKILL is due for all of the task's tree; negative since it is. */
  synchronized long killIn(KeeperTask task) {
    return task.killAtMillis() - clock.millis();
  }

  /** Notes living members of a task; returns those not seen before, which are due SIGTERM. */
  synchronized List<ProcStat> note(KeeperTask task, List<ProcStat> members) {
    return task.note(members);
  }

  /** The tree of a task is gone: it is looked at no more, and lives until its exit is written. */
  synchronized ExitRecord over(KeeperTask task) {
    task.over();
    return exitRecord(task);
  }

  synchronized ExitRecord exitRecord(KeeperTask task) {
    if (task.usedPeak() > inheritedPeak && task.usedPeak() < inheritedPeak + NEAR_BYTES) {
      inheritedPeak = Math.max(inheritedPeak, ownPeak());
    }
    return task.toExitRecord(inheritedPeak);
  }

  private static long ownPeak() {
    return ProcFiles.memory(Posix.getpid()).peak();
  }

  /** The tree is gone and its exit is written. */
  synchronized TaskView exited(KeeperTask task, ExitRecord record) {
    task.exited(record);
    liveTasks.remove(record.key());
    if (byKey.size() - liveTasks.size() > ENDED_LIMIT) {
      dropOldestEnded();
    }
    return task.view();
  }

  private void dropOldestEnded() {
    for (Iterator<KeeperTask> tasks = byKey.values().iterator(); tasks.hasNext(); ) {
      if (!tasks.next().live()) {
        tasks.remove();
        return;
      }
    }
  }

  /** Waits until something changed since the last wait, or so long. */
  synchronized void awaitWork(long millis) throws InterruptedException {
    if (!workWaits && millis > 0) {
      wait(millis);
    }
    workWaits = false;
  }

  synchronized void wake() {
    workWaits = true;
    notifyAll();
  }

  private static SpawnRequest slim(SpawnRequest request) {
    return new SpawnRequest(
        request.key(),
        List.of(request.argv().get(0)),
        Map.of(),
        request.workingFolder(),
        request.stdout(),
        request.stderr(),
        request.taskFolder(),
        request.deviceLocks(),
        request.contactMillis(),
        request.graceMillis(),
        request.umask(),
        request.slot(),
        request.signal(),
        request.signalAfterMillis());
  }
}
