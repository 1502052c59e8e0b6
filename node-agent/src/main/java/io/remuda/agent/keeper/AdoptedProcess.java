package io.remuda.agent.keeper;

import java.util.List;

/**
 * A program that the keeper has not started and that holds devices. Its {@link AdoptedProcesses}
 * guard all fields.
 */
final class AdoptedProcess {

  private static final long NEVER = Long.MAX_VALUE;

  private final AdoptRequest request;
  private final ProcStat process;
  private final List<DeviceLock> locks;
  private final long sinceMillis;
  private boolean killed;
  private long killAtMillis = NEVER;
  private List<ProcStat> family = List.of();
  private boolean over;
  private ExitRecord exit;

  AdoptedProcess(AdoptRequest request, ProcStat process, List<DeviceLock> locks, long sinceMillis) {
    this.request = request;
    this.process = process;
    this.locks = locks;
    this.sinceMillis = sinceMillis;
  }

  AdoptRequest request() {
    return request;
  }

  ProcStat process() {
    return process;
  }

  List<DeviceLock> locks() {
    return locks;
  }

  boolean isLive() {
    return exit == null;
  }

  /** Whether it still has to be watched; if not, its exit may still have to be written. */
  boolean isWatched() {
    return !over;
  }

  /**
   * A second request can only shorten the grace of the first.
   *
   * @param all its process and those below it, which may have no other parent once it has ended
   * @return whether it is the first request, with which SIGTERM goes to all of these
   */
  boolean kill(long graceMillis, long now, List<ProcStat> all) {
    boolean first = !killed;
    killed = true;
    family = List.copyOf(all);
    killAtMillis = Math.min(killAtMillis, now + Math.min(graceMillis, request.graceMillis()));
    return first;
  }

  /** Those that it is to be ended with; none unless it is. */
  List<ProcStat> family() {
    return family;
  }

  boolean isDueKill(long now) {
    return killAtMillis <= now;
  }

  /** It needs nothing any more; what its process returns is never known here. */
  ExitRecord over(long now) {
    over = true;
    return new ExitRecord(
        request.key(),
        process.pid(),
        process.startTicks(),
        new ExitStatus.Code(0),
        now - sinceMillis,
        0,
        0,
        0,
        false,
        killed,
        0);
  }

  /** Its exit is written, and it holds nothing any more. */
  void ended(ExitRecord record) {
    exit = record;
  }

  TaskView view() {
    TaskView.State state =
        exit != null
            ? TaskView.State.EXITED
            : killed || over ? TaskView.State.ENDING : TaskView.State.RUNNING;
    return new TaskView(request.key(), process.pid(), process.startTicks(), state, exit);
  }
}
