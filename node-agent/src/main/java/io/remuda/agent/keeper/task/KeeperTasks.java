package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.ending.ProcessTraits;
import io.remuda.agent.keeper.limit.DeviceLock;
import io.remuda.agent.keeper.proc.BootClock;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.SpawnedProcess;
import io.remuda.agent.keeper.proc.TaskMark;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All tasks that the keeper knows; their state changes only here. Any thread. */
final class KeeperTasks {

  /** Beyond this many ended and unforgotten tasks the oldest are dropped; their files stay. */
  private static final int ENDED_LIMIT = 20_000;

  /** How long the terminator rests at most while nothing happens. */
  static final long LONGEST_REST_MILLIS = 1000;

  /** Longest wait for a spawn that is under way. */
  private static final long LONGEST_SPAWN_MILLIS = 100;

  private final BootClock clock;
  private final InheritedPeak inheritedPeak = new InheritedPeak();
  private final Map<String, KeeperTask> byKey = new LinkedHashMap<>();
  private final Map<String, KeeperTask> liveTasks = new LinkedHashMap<>();
  private final Map<Integer, KeeperTask> byLeader = new HashMap<>();
  private final SpawnsUnderWay spawns = new SpawnsUnderWay();
  private long births;
  private boolean closing;

  /** Whether the terminator is to look. */
  private boolean workWaits;

  /** How many threads wait for a start. */
  private int waitForStarts;

  KeeperTasks(BootClock clock) {
    this.clock = clock;
  }

  /** Returns the task, or null if the key is unknown. */
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

  /** Returns whether a task of the slot is live. */
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

  /** Refuses further tasks if there are none now; returns whether there are none. */
  synchronized boolean closeIfCalm() {
    closing |= calm() >= 0;
    return calm() >= 0;
  }

  /** Returns false if tasks are refused; otherwise {@link #spawnEnds} must follow. */
  synchronized boolean spawnBegins() {
    if (closing) {
      return false;
    }
    spawns.begin();
    return true;
  }

  /**
   * Returns a number that stays the same while there is no task and no spawn; -1 while there is
   * one. A child seen between two equal numbers belongs to no task.
   */
  synchronized long calm() {
    return spawns.areNone() && liveTasks.isEmpty() ? spawns.begun() : -1;
  }

  synchronized void spawnEnds() {
    spawns.end();
    if (waitForStarts > 0 && spawns.areNone()) {
      notifyAll();
    }
  }

  /** Returns whether the pid is a live leader; waits for one whose spawn is under way. */
  synchronized boolean leads(int pid) {
    long deadline = clock.millis() + LONGEST_SPAWN_MILLIS;
    waitForStarts++;
    try {
      while (!byLeader.containsKey(pid) && !spawns.areNone()) {
        long left = deadline - clock.millis();
        if (left <= 0) {
          return false;
        }
        wait(left);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      waitForStarts--;
    }
    return byLeader.containsKey(pid);
  }

  /**
   * Adds a started task, without argv and environment of its request, and wakes the reaper. The
   * terminator is woken only if something is due before its next look.
   */
  synchronized KeeperTask register(
      SpawnRequest request, SpawnedProcess spawned, long bornMillis, List<DeviceLock> locks) {
    ReapedProcess stray = spawns.takeStray(spawned.pid());
    long ticks = stray == null ? spawned.startTicks() : stray.stat().startTicks();
    TaskMark mark = new TaskMark(request.key(), spawned.pid(), ticks);
    KeeperTask task = new KeeperTask(mark, request.slim(), bornMillis, locks);
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
    workWaits |= task.wantsAttention() || isDueSoon(task);
    if (workWaits || waitForStarts > 0) {
      notifyAll();
    }
    return task;
  }

  private boolean isDueSoon(KeeperTask task) {
    long now = clock.millis();
    return Math.min(task.contactLeft(now), task.signalLeft(now)) <= LONGEST_REST_MILLIS;
  }

  /** Returns the number of tasks started so far. */
  synchronized long births() {
    return births;
  }

  /** Waits until more than {@code seen} were started: before, there can be no children. */
  synchronized void awaitBirth(long seen) throws InterruptedException {
    waitForStarts++;
    try {
      while (births == seen) {
        wait();
      }
    } finally {
      waitForStarts--;
    }
  }

  /**
   * Returns a dead child that is the leader of a task and has not been reaped, as it was seen when
   * it was started; null if it is not known, or its start is not.
   */
  synchronized ProcStat unreapedLeader(int pid) {
    KeeperTask task = byLeader.get(pid);
    long startTicks = task == null ? 0 : task.mark().startTicks();
    return startTicks == 0 ? null : new ProcStat(pid, 'Z', 0, pid, startTicks);
  }

  /** Registers the end of a process that was reaped. */
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
    spawns.keepStray(reaped);
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

  /** Asks a task to end by this signal, within its own grace or this one. */
  synchronized void end(String key, EndingSignal how, long graceMillis) {
    KeeperTask task = liveTasks.get(key);
    if (task != null) {
      task.end(how, Math.min(graceMillis, task.request().graceMillis()), clock.millis());
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

  /** Drops an ended task; keeps a live one. */
  synchronized void forget(String key) {
    KeeperTask task = byKey.get(key);
    if (task != null && !task.live()) {
      byKey.remove(key);
    }
  }

  /** Refuses further tasks and ends all, each within its own grace or this one if shorter. */
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

  /** Ends tasks past their contact deadline; returns the tasks whose trees must be examined. */
  synchronized List<ProcessTreeCheckRequest> wanted() {
    long now = clock.millis();
    List<ProcessTreeCheckRequest> wanted = new ArrayList<>();
    for (KeeperTask task : liveTasks.values()) {
      task.expireLease(now);
      if (task.wantsAttention()) {
        wanted.add(new ProcessTreeCheckRequest(task, task.leaderEnded(), task.ageMillis(now)));
      }
    }
    return wanted;
  }

  /**
   * Returns the key of the task that prints into this file or, if it is the only one of that
   * device, has this lock; else null.
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

  /** Returns the live leaders of all tasks. */
  synchronized Set<Integer> leaders() {
    return new HashSet<>(byLeader.keySet());
  }

  /** Returns the tasks that are due the signal before their time limit, once. */
  synchronized List<KeeperTask> takeSignals() {
    long now = clock.millis();
    List<KeeperTask> due = new ArrayList<>();
    for (KeeperTask task : liveTasks.values()) {
      if (task.takeSignal(now)) {
        due.add(task);
      }
    }
    return due;
  }

  /** Returns the tasks whose first process has run for so long, and not for longer than this. */
  synchronized List<TaskMark> running(long leastMillis, long mostMillis) {
    long now = clock.millis();
    List<TaskMark> marks = new ArrayList<>();
    for (KeeperTask task : liveTasks.values()) {
      long age = task.ageMillis(now);
      if (!task.leaderEnded() && age >= leastMillis && age <= mostMillis) {
        marks.add(task.mark());
      }
    }
    return marks;
  }

  /** Returns the request of a live task, or null. */
  synchronized SpawnRequest request(String key) {
    KeeperTask task = liveTasks.get(key);
    return task == null ? null : task.request();
  }

  /** Notes how much memory the processes of a task were seen to hold. */
  synchronized void notePeak(String key, long bytes) {
    KeeperTask task = liveTasks.get(key);
    if (task != null) {
      task.notePeak(bytes);
    }
  }

  /** Returns the most memory that was noted of a live task; 0 before. */
  synchronized long peak(String key) {
    KeeperTask task = liveTasks.get(key);
    return task == null ? 0 : task.sampledPeak();
  }

  /** Returns the live leaders of all tasks except these. */
  synchronized Set<Integer> otherLeaders(List<KeeperTask> wanted) {
    Set<Integer> others = new HashSet<>(byLeader.keySet());
    wanted.forEach(task -> others.remove(task.mark().leader()));
    return others;
  }

  /**
   * Returns the ms to the next contact deadline or signal, at most {@value #LONGEST_REST_MILLIS}.
   */
  synchronized long nextDue() {
    long now = clock.millis();
    long next = LONGEST_REST_MILLIS;
    for (KeeperTask task : liveTasks.values()) {
      next = Math.min(next, Math.min(task.contactLeft(now), task.signalLeft(now)));
    }
    return Math.max(next, 0);
  }

  /** Returns the ms until SIGKILL is due for the task's tree; negative if overdue. */
  synchronized long killIn(KeeperTask task) {
    return task.killAtMillis() - clock.millis();
  }

  /** Returns what is to be done to these live processes of a task, which counts as done. */
  synchronized TaskAsking.Step next(
      KeeperTask task, List<ProcStat> members, List<ProcStat> first, ProcessTraits traits) {
    task.note(members);
    return task.asking().next(members, first, clock.millis(), traits);
  }

  /** Notes that a signal to end a task goes to its processes while its first process lives. */
  synchronized void reached(KeeperTask task) {
    task.reached();
  }

  /** Marks a task whose tree is gone as over; it stays live until its exit is written. */
  synchronized ExitRecord over(KeeperTask task) {
    task.over();
    return exitRecord(task);
  }

  synchronized ExitRecord exitRecord(KeeperTask task) {
    return task.toExitRecord(inheritedPeak.beside(task.usedPeak()));
  }

  /** Marks a task as exited, once its exit is written. */
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

  /**
   * Waits for work since the last wait, for {@code millis} at most.
   *
   * @return whether there is some
   */
  synchronized boolean awaitWork(long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    for (long left = millis; !workWaits && left > 0; ) {
      wait(left);
      left = (end - System.nanoTime()) / 1_000_000;
    }
    boolean some = workWaits;
    workWaits = false;
    return some;
  }

  synchronized void wake() {
    workWaits = true;
    notifyAll();
  }
}
