package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.limit.DeviceLock;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.ResourceUsage;
import io.remuda.agent.keeper.proc.TaskMark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One task from its start until it is forgotten. Guarded by its {@link KeeperTasks}. */
final class KeeperTask {
  /** Grace for processes that outlive the first one. */
  static final long LEFTOVER_GRACE_MILLIS = 500;

  /** Limit of the grace after the contact deadline: the task may already run elsewhere. */
  static final long CONTACT_GRACE_MILLIS = 1000;

  /** For a task that holds memory which others lack. */
  static final long OVERUSE_GRACE_MILLIS = 1000;

  private static final long NEVER = Long.MAX_VALUE;

  /** Linux reports start times in hundredths of a second. */
  private static final long TICK_MILLIS = 10;

  /** Longer durations are cut to this, so that no sum overflows. */
  private static final long LONGEST_MILLIS = 1L << 50;

  private TaskMark mark;
  private final SpawnRequest request;
  private final long bornMillis;
  private final List<DeviceLock> locks;
  private final Map<Integer, Long> terminated = new HashMap<>();
  private final Map<Integer, Long> leftovers = new HashMap<>();

  private long contactEndsMillis = NEVER;
  private long killAtMillis = NEVER;

  /** When it was first asked to end, or its first process ended; 0 before. */
  private long toldMillis;

  /** Whether its processes were examined since then. */
  private boolean looked;

  private boolean signalled;
  private boolean contactLost;
  private boolean killed;

  /** Whether a signal that is to end it has reached it before its first process ended. */
  private boolean reached;

  /** Whether only its first process has been asked, by a signal of its own. */
  private boolean leaving;

  /** The signal by which it is to be asked next, or 0. */
  private int ask;

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
      told(now);
      endBy(now + Math.min(request.graceMillis(), CONTACT_GRACE_MILLIS));
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
   * Asks its first process alone to end, by a signal of its own. What is left when that has ended
   * gets SIGTERM. Only shortens the grace if it is ending.
   */
  void leave(int signal, long graceMillis, long now) {
    if (!killed && !contactLost && !leaderEnded()) {
      killed = true;
      leaving = true;
      looked = true; // what is there now gets no SIGTERM
      ask = signal;
    }
    endBy(now + Math.min(graceMillis, LONGEST_MILLIS));
  }

  /** Returns the signal by which its first process is to be asked, once; else 0. */
  int takeAsk() {
    int signal = leaderEnded() ? 0 : ask;
    ask = 0;
    reached |= signal != 0;
    return signal;
  }

  /** Notes that a signal to end it goes to its processes while its first process lives. */
  void reached() {
    reached |= !leaderEnded();
  }

  /** Asks it to end; a second request can only shorten the grace of the first. */
  void kill(long graceMillis, long now) {
    killed = true;
    if (leaving) {
      tellAll(now);
    }
    told(now);
    endBy(now + Math.min(graceMillis, LONGEST_MILLIS));
  }

  /** Has all its processes get SIGTERM, those that were noted as well. */
  private void tellAll(long now) {
    leaving = false;
    looked = false;
    toldMillis = now;
    terminated.clear();
  }

  private void told(long now) {
    toldMillis = toldMillis == 0 ? now : toldMillis;
  }

  private void endBy(long millis) {
    killAtMillis = Math.min(killAtMillis, millis);
  }

  void leaderEnded(ExitStatus how, ResourceUsage used, long now) {
    status = how;
    endedMillis = now;
    usage = usage.plus(used);
    if (leaving) {
      tellAll(now);
    }
    if (killed || contactLost) {
      return; // what is left was told to end with it and may use the rest of the grace
    }
    toldMillis = now;
    looked = false;
    endBy(now + LEFTOVER_GRACE_MILLIS);
  }

  void addUsage(ResourceUsage used) {
    usage = usage.plus(used);
  }

  /** Returns when SIGKILL is due for all that is left of it. */
  long killAtMillis() {
    return killAtMillis;
  }

  /**
   * Notes the living processes of its tree and returns those to which SIGTERM is due. Each process
   * gets it once: if the first look finds it, or if a later look finds it but it is older than the
   * request to end. Processes started later are spared, since they may be there to save something.
   */
  List<ProcStat> note(List<ProcStat> members) {
    boolean first = !looked;
    looked = true;
    List<ProcStat> due = new ArrayList<>();
    for (ProcStat member : members) {
      boolean older = (member.startTicks() + 1) * TICK_MILLIS <= toldMillis;
      if (note(member) && (first || older)) {
        due.add(member);
      }
    }
    return due;
  }

  private boolean note(ProcStat member) {
    if (leaderEnded()) {
      leftovers.put(member.pid(), member.startTicks());
    }
    Long before = terminated.put(member.pid(), member.startTicks());
    return before == null || before != member.startTicks();
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
    terminated.clear();
    leftovers.clear();
  }
}
