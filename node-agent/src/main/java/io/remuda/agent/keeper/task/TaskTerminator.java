package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.ExitFile;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.ending.ProcTraits;
import io.remuda.agent.keeper.ending.ProcessTraits;
import io.remuda.agent.keeper.ending.SignalTargets;
import io.remuda.agent.keeper.ending.WayOut;
import io.remuda.agent.keeper.limit.DeviceLocks;
import io.remuda.agent.keeper.limit.SharedMemorySegments;
import io.remuda.agent.keeper.proc.EndedTaskProcessCheck;
import io.remuda.agent.keeper.proc.KeeperLog;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.Signaller;
import io.remuda.agent.keeper.proc.TaskMark;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Ends trees that are to be killed, whose contact deadline has passed, or whose first process is
 * gone. One thread; each round takes one look at the processes of all such tasks together.
 */
final class TaskTerminator implements Runnable {
  private static final long IDLE_ROUND_MILLIS = KeeperTasks.LONGEST_REST_MILLIS;
  private static final long BUSY_ROUND_MILLIS = 20;
  private static final long PATIENT_ROUND_MILLIS = 100;
  private static final long STUCK_ROUND_MILLIS = 500;

  /** Handles tasks that are over. */
  interface ExitHandler {
    /**
     * Called when the exit is written and the devices are free.
     *
     * @param slot now free, too; 0 if the task had none
     */
    void accept(TaskView view, long slot);
  }

  private final KeeperTasks table;
  private final TaskProcessFinder tree;
  private final EndedTaskProcessCheck recent;
  private final DeviceLocks locks;
  private final MemoryLimits limits;
  private final SharedMemorySegments segments;
  private final ExitRecorder recorder;
  private final ExitHandler exited;
  private final Runnable afterRound;
  private final FsyncQueue fsyncQueue = new FsyncQueue();
  private final ProcessTraits traits = new ProcTraits();

  /** The processes of each task that has not ended of its own accord, by pid. */
  private final Map<String, Set<Integer>> pressed = new HashMap<>();

  /** Whether a task that ended since the last search may have left unknown processes. */
  private volatile boolean maybeUnclaimed;

  /**
   * @param recorder writes the exit records
   * @param exited called on the recorder's thread
   * @param afterRound called on this thread about once a second or more often
   */
  TaskTerminator(
      KeeperTasks table,
      TaskProcessFinder tree,
      EndedTaskProcessCheck recent,
      DeviceLocks locks,
      MemoryLimits limits,
      SharedMemorySegments segments,
      ExitRecorder recorder,
      ExitHandler exited,
      Runnable afterRound) {
    this.table = table;
    this.tree = tree;
    this.recent = recent;
    this.locks = locks;
    this.limits = limits;
    this.segments = segments;
    this.recorder = recorder;
    this.exited = exited;
    this.afterRound = afterRound;
  }

  @Override
  public void run() {
    fsyncQueue.start();
    try {
      while (true) {
        table.awaitWork(guardedRound());
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs one round; after a fault, such as no memory, the next round must still follow. */
  private long guardedRound() {
    try {
      long wait = round();
      afterRound.run();
      return wait;
    } catch (RuntimeException | OutOfMemoryError fault) {
      KeeperLog.line("keeper: a round failed, the next follows: " + fault);
      return BUSY_ROUND_MILLIS;
    }
  }

  /** Returns the ms to the next round, if nothing happens before. */
  private long round() {
    signal(table.takeSignals());
    List<ProcessTreeCheckRequest> wanted = finishSwift(table.wanted());
    if (wanted.isEmpty()) {
      endUnclaimed();
      return table.nextDue();
    }
    List<KeeperTask> tasks = wanted.stream().map(ProcessTreeCheckRequest::task).toList();
    Set<Integer> others = table.otherLeaders(tasks);
    TaskProcessFinder.Found found = tree.find(marks(tasks), others);
    TaskProcessFinder.Found again =
        anyGone(wanted, found) ? tree.find(marks(tasks), others) : found;
    long wait = IDLE_ROUND_MILLIS;
    for (ProcessTreeCheckRequest one : wanted) {
      String key = one.task().mark().key();
      boolean gone = found.of(key).isEmpty() && again.of(key).isEmpty();
      if (one.leaderEnded() && gone) {
        maybeUnclaimed = true;
        finish(one.task());
      } else {
        boolean soon = press(one.task(), again.of(key));
        wait = Math.min(wait, soon ? BUSY_ROUND_MILLIS : nextLook(table.killIn(one.task())));
      }
    }
    end(again.late());
    endUnclaimed();
    return wait;
  }

  /** Sends tasks the signal before their time limit. */
  private void signal(List<KeeperTask> tasks) {
    if (tasks.isEmpty()) {
      return;
    }
    TaskProcessFinder.Found found = tree.find(marks(tasks), table.otherLeaders(tasks));
    for (KeeperTask task : tasks) {
      List<ProcStat> members = found.of(task.mark().key());
      SpawnRequest request = task.request();
      List<ProcStat> targets =
          SignalTargets.ofSignal(
              WayOut.WARNING,
              request.signal(),
              request.signalReach(),
              ContainerEngineProcesses.asked(request, members),
              ContainerEngineProcesses.first(request, task.mark(), members),
              traits);
      if (targets.isEmpty()) {
        KeeperLog.line("keeper: no process of " + request.key() + " can get its signal");
      }
      targets.forEach(target -> TaskAsking.sendAndResume(target, request.signal()));
    }
  }

  /** Finishes tasks that lasted only moments and left nothing; returns the others. */
  private List<ProcessTreeCheckRequest> finishSwift(List<ProcessTreeCheckRequest> wanted) {
    List<ProcessTreeCheckRequest> swift = new ArrayList<>();
    List<ProcessTreeCheckRequest> others = new ArrayList<>();
    int first = Integer.MAX_VALUE;
    for (ProcessTreeCheckRequest one : wanted) {
      if (one.leaderEnded() && recent.serves(one.ageMillis())) {
        swift.add(one);
        first = Math.min(first, one.task().mark().leader());
      } else {
        others.add(one);
      }
    }
    if (swift.isEmpty() || !recent.nothingSince(first, table::leads)) {
      return wanted;
    }
    swift.forEach(one -> finish(one.task()));
    return others;
  }

  /** Returns the ms to the next round. A dead child wakes this thread, a deeper one does not. */
  private static long nextLook(long killIn) {
    if (killIn > IDLE_ROUND_MILLIS) {
      return PATIENT_ROUND_MILLIS;
    }
    boolean stuck = killIn < -2 * IDLE_ROUND_MILLIS; // such as a process that waits for a dead disk
    return stuck ? STUCK_ROUND_MILLIS : BUSY_ROUND_MILLIS;
  }

  private static List<TaskMark> marks(List<KeeperTask> tasks) {
    return tasks.stream().map(KeeperTask::mark).toList();
  }

  private static boolean anyGone(
      List<ProcessTreeCheckRequest> wanted, TaskProcessFinder.Found found) {
    for (ProcessTreeCheckRequest one : wanted) {
      if (one.leaderEnded() && found.of(one.task().mark().key()).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Carries out what is due for a task; returns whether the next look must follow soon. */
  private boolean press(KeeperTask task, List<ProcStat> members) {
    Set<Integer> pids = pressed.computeIfAbsent(task.mark().key(), key -> new HashSet<>());
    members.forEach(member -> pids.add(member.pid()));
    SpawnRequest request = task.request();
    List<ProcStat> asked = ContainerEngineProcesses.asked(request, members);
    List<ProcStat> first = ContainerEngineProcesses.first(request, task.mark(), members);
    TaskAsking.Step step = table.next(task, asked, first, traits);
    boolean ends = table.killIn(task) <= 0;
    boolean tells = !step.ask().isEmpty() || !step.release().isEmpty();
    if ((ends || tells) && !first.isEmpty()) {
      table.reached(task);
    }
    if (ends) {
      end(members);
      return false;
    }
    step.send((one, signal) -> signalFor(request, one, signal, asked));
    return step.soon();
  }

  private static int signalFor(
      SpawnRequest request, ProcStat process, int signal, List<ProcStat> asked) {
    return signal == Posix.SIGTERM
        ? ContainerEngineProcesses.terminationSignal(request, process, asked)
        : signal;
  }

  /** Marks a task as over; the recorder waits for the disk instead of this thread. */
  private void finish(KeeperTask task) {
    ExitRecord record = table.over(task);
    Set<Integer> pids = pressed.remove(task.mark().key());
    Set<Integer> killed = new HashSet<>(pids == null ? Set.of() : pids);
    if (pids != null || record.status() instanceof ExitStatus.Signal) {
      killed.add(task.mark().leader());
    }
    recorder.add(() -> conclude(task, record, killed));
  }

  /**
   * Frees the slot and the devices even if the exit record cannot be written.
   *
   * @param killed pids of those of its processes that did not end by themselves
   */
  private void conclude(KeeperTask task, ExitRecord record, Set<Integer> killed) {
    try {
      limits.ended(task.request());
      ExitFile.write(task.request().taskFolder(), record);
      fsyncQueue.add(task.request().taskFolder());
    } catch (IOException | RuntimeException | OutOfMemoryError unwritable) {
      KeeperLog.line("keeper: no exit record of " + record.key() + ": " + unwritable);
    }
    segments.remove(record.key(), killed);
    locks.release(task.locks());
    exited.accept(table.exited(task, record), task.request().slot());
    if (maybeUnclaimed) {
      table.wake();
    }
  }

  /** Kills what still lives below this process once no task is left: it has lost all marks. */
  private void endUnclaimed() {
    long calm = table.calm();
    if (!maybeUnclaimed || calm < 0) {
      return;
    }
    TaskProcessFinder.Found found = tree.find(List.of(), new HashSet<>());
    if (calm == table.calm()) {
      maybeUnclaimed = !found.unclaimed().isEmpty() || !found.late().isEmpty();
      end(found.unclaimed());
      end(found.late());
    }
  }

  private static void end(List<ProcStat> processes) {
    for (ProcStat process : processes) {
      Signaller.send(process, Posix.SIGKILL);
    }
  }
}
