package io.remuda.agent.keeper;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One task from its start to its forgetting. All fields are guarded by its {@link KeeperTasks}. */
final class KeeperTask {
  /** For what outlives the first process. */
  static final long LEFTOVER_GRACE_MILLIS = 500;

  /** At an expired lease: whoever let it expire may already run the task elsewhere. */
  static final long CONTACT_GRACE_MILLIS = 1000;

  /** For a task that holds memory which others lack. */
  static final long OVERUSE_GRACE_MILLIS = 1000;

  private static final long NEVER = Long.MAX_VALUE;

  /** Linux tells start times in hundredths of a second. */
  private static final long TICK_MILLIS = 10;

  /** Longer ones are cut to this, so that no sum overflows. */
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

  /** Whether its processes have been looked at since. */
  private boolean looked;

  private boolean signalled;
  private boolean contactLost;
  private boolean killed;
  private boolean over;

  private ExitStatus status;
  private long endedMillis;
  private long sampledPeak;
  private ResourceUsage usage = new ResourceUsage(0, 0, 0);
  private ExitRecord exit;

  /**
   * Creates one that was just started.
   *
   * @param request without argv and environment is enough; it is kept while the task is live
   */
  KeeperTask(TaskMark mark, SpawnRequest request, long bornMillis, List<DeviceLock> locks) {
    this.mark = mark;
    this.request = request;
    this.bornMillis = bornMillis;
    this.locks = locks;
    renew(request.contactMillis(), bornMillis);
  }

  /** Its first process was reaped before its start could be read. */
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

  /** Whether its output goes into a file. */
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

  /** Whether its tree has to be looked at now. */
  boolean wantsAttention() {
    return live() && !over && (leaderEnded() || killAtMillis != NEVER);
  }

  /** Nothing is left of it but its exit to be written. */
  void over() {
    over = true;
    contactEndsMillis = NEVER;
  }

  long ageMillis(long now) {
    return now - bornMillis;
  }

  /** A lease once expired stays so. */
  void renew(long contactMillis, long now) {
    boolean none = contactMillis == 0 || over;
    contactEndsMillis = none ? NEVER : now + Math.min(contactMillis, LONGEST_MILLIS);
  }

  /** Milliseconds to the end of the lease, 0 or less if it has passed. */
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

  /** Asks it to end; a second request can only shorten the grace of the first. */
  void kill(long graceMillis, long now) {
    killed = true;
    told(now);
    endBy(now + Math.min(graceMillis, LONGEST_MILLIS));
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

  /** When SIGKILL is due for all that is left of it. */
  long killAtMillis() {
    return killAtMillis;
  }

  /**
   * Notes the living processes of its tree; those are returned to which SIGTERM is due. It is once,
   * to what is there at the first look, before any signal, and to what that look has missed: what
   * is started after it may be there to save something.
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
        killed,
        leftovers.size());
  }

  void exited(ExitRecord record) {
    exit = record;
    contactEndsMillis = NEVER;
    terminated.clear();
    leftovers.clear();
  }
}
