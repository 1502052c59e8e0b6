package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.ending.WayOut;
import io.remuda.agent.keeper.limit.DeviceLock;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.ResourceUsage;
import io.remuda.agent.keeper.proc.TaskMark;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One task from its start until it is forgotten. Guarded by its {@link KeeperTasks}. */
final class KeeperTask {
  private static final long NEVER = Long.MAX_VALUE;

  /** Longer durations are cut to this, so that no sum overflows. */
  private static final long LONGEST_MILLIS = 1L << 50;

  private TaskMark mark;
  private final SpawnRequest request;
  private final long bornMillis;
  private final List<DeviceLock> locks;
  private final TaskAsking asking = new TaskAsking();
  private final Map<Integer, Long> leftovers = new HashMap<>();

  private long contactEndsMillis = NEVER;
  private long killAtMillis = NEVER;

  private boolean signalled;
  private boolean contactLost;
  private boolean killed;

  /** Whether a signal that is to end it has reached it before its first process ended. */
  private boolean reached;

  private boolean over;

  private ExitStatus status;
  private long endedMillis;
  private long sampledPeak;
  private ResourceUsage usage = new ResourceUsage(0, 0, 0);
  private ExitRecord exit;

  /**
   * @param request kept while the task is live; argv and environment may be missing
   */
  KeeperTask(TaskMark mark, SpawnRequest request, long bornMillis, List<DeviceLock> locks) {
    this.mark = mark;
    this.request = request;
    this.bornMillis = bornMillis;
    this.locks = locks;
    renew(request.contactMillis(), bornMillis);
  }

  /** Sets the start ticks if its first process was reaped before they could be read. */
  void began(long startTicks) {
    if (mark.startTicks() == 0) {
      mark = new TaskMark(mark.key(), mark.leader(), startTicks);
    }
  }

  TaskMark mark() {
    return mark;
  }

  SpawnRequest request() {
    return request;
  }

  List<DeviceLock> locks() {
    return locks;
  }

  /** Returns whether its output goes into this file. */
  boolean prints(String path) {
    return request.stdout().toString().equals(path) || request.stderr().toString().equals(path);
  }

  TaskView view() {
    return new TaskView(mark.key(), mark.leader(), mark.startTicks(), state(), exit);
  }

  private TaskView.State state() {
    if (exit != null) {
      return TaskView.State.EXITED;
    }
    return leaderEnded() || killAtMillis != NEVER ? TaskView.State.ENDING : TaskView.State.RUNNING;
  }

  boolean live() {
    return exit == null;
  }

  boolean leaderEnded() {
    return status != null;
  }

  /** Returns whether its tree must be examined now. */
  boolean wantsAttention() {
    return live() && !over && (leaderEnded() || killAtMillis != NEVER);
  }

  /** Marks the task as over: only its exit record remains to be written. */
  void over() {
    over = true;
    contactEndsMillis = NEVER;
  }

  long ageMillis(long now) {
    return now - bornMillis;
  }

  /** Sets the contact deadline; 0 removes it. An expiry is not undone. */
  void renew(long contactMillis, long now) {
    boolean none = contactMillis == 0 || over;
    contactEndsMillis = none ? NEVER : now + Math.min(contactMillis, LONGEST_MILLIS);
  }

  /** Returns the ms to the contact deadline, 0 or less if it has passed. */
  long contactLeft(long now) {
    return contactEndsMillis == NEVER ? NEVER : contactEndsMillis - now;
  }

  void expireLease(long now) {
    if (live() && !contactLost && contactLeft(now) <= 0) {
      contactLost = true;
      asking.begin(WayOut.CONTACT_LOST.signal(request.endingReach()), now);
      endBy(now + Math.min(request.graceMillis(), WayOut.CONTACT_LOST.grace().mostMillis()));
    }
  }

  /** Milliseconds to its signal, 0 or less if it is due; very many without one. */
  long signalLeft(long now) {
    boolean none = request.signal() == 0 || signalled || leaderEnded() || killed;
    return none ? NEVER : bornMillis + request.signalAfterMillis() - now;
  }

  /** Whether its signal is due; from then on it is not. */
  boolean takeSignal(long now) {
    boolean due = signalLeft(now) <= 0;
    signalled |= due;
    return due;
  }

  /**
   * Asks it to end. A second request can only shorten the grace of the first; by SIGTERM it asks
   * again what was asked by another signal.
   */
  void end(EndingSignal how, long graceMillis, long now) {
    boolean asked = killed || contactLost || leaderEnded();
    killed |= !asked || how.isTerm();
    if (!asked || how.isTerm()) {
      asking.begin(how, now);
    }
    endBy(now + Math.min(graceMillis, LONGEST_MILLIS));
  }

  /** Asks it to end by SIGTERM, as its node has it. */
  void kill(long graceMillis, long now) {
    end(EndingSignal.term(request.endingReach()), graceMillis, now);
  }

  /** Returns how it is asked to end. */
  TaskAsking asking() {
    return asking;
  }

  /** Notes that a signal to end it goes to its processes while its first process lives. */
  void reached() {
    reached |= !leaderEnded();
  }

  private void endBy(long millis) {
    killAtMillis = Math.min(killAtMillis, millis);
  }

  void leaderEnded(ExitStatus how, ResourceUsage used, long now) {
    status = how;
    endedMillis = now;
    usage = usage.plus(used);
    asking.firstEnded(now);
    if (!killed && !contactLost) { // else what is left may use the rest of the grace
      endBy(now + WayOut.FIRST_ENDED.grace().mostMillis());
    }
  }

  void addUsage(ResourceUsage used) {
    usage = usage.plus(used);
  }

  /** Returns when SIGKILL is due for all that is left of it. */
  long killAtMillis() {
    return killAtMillis;
  }

  /** Counts the living processes of its tree that outlive its first process. */
  void note(List<ProcStat> members) {
    if (leaderEnded()) {
      members.forEach(member -> leftovers.put(member.pid(), member.startTicks()));
    }
  }

  void notePeak(long bytes) {
    sampledPeak = Math.max(sampledPeak, bytes);
  }

  /** Returns the most memory that {@link #notePeak} was told. */
  long sampledPeak() {
    return sampledPeak;
  }

  /** Returns the kernel's count of its largest process, or of the keeper if that is more. */
  long usedPeak() {
    return usage.peakRssBytes();
  }

  /**
   * Makes its exit record.
   *
   * @param inheritedPeak bytes up to which the kernel's count says nothing of the task
   */
  ExitRecord toExitRecord(long inheritedPeak) {
    return new ExitRecord(
        mark.key(),
        mark.leader(),
        mark.startTicks(),
        status,
        endedMillis - bornMillis,
        usage.userMillis(),
        usage.systemMillis(),
        Math.max(sampledPeak, usedPeak() > inheritedPeak ? usedPeak() : 0),
        contactLost,
        killed && reached,
        leftovers.size());
  }

  void exited(ExitRecord record) {
    exit = record;
    contactEndsMillis = NEVER;
    asking.over();
    leftovers.clear();
  }
}
