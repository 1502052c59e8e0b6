package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.DeviceHoldRequest;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.ReachedProcesses;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.ending.WayOut;
import io.remuda.agent.keeper.limit.DeviceLock;
import io.remuda.agent.keeper.proc.ProcStat;
import java.util.List;

/**
 * A running program that the keeper did not start and for which it holds device locks. All fields
 * are guarded by {@link ExternalDeviceHolders}.
 */
final class ExternalDeviceHolder {

  private static final long NEVER = Long.MAX_VALUE;

  private final TaskAsking asking = new TaskAsking();
  private final DeviceHoldRequest request;
  private final ProcStat process;
  private final List<DeviceLock> locks;
  private final long sinceMillis;
  private boolean killed;
  private long killAtMillis = NEVER;
  private List<ProcStat> family = List.of();
  private boolean over;
  private ExitRecord exit;

  ExternalDeviceHolder(
      DeviceHoldRequest request, ProcStat process, List<DeviceLock> locks, long sinceMillis) {
    this.request = request;
    this.process = process;
    this.locks = locks;
    this.sinceMillis = sinceMillis;
  }

  DeviceHoldRequest request() {
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

  /** Returns whether its process is watched; if not, its exit record may still be unwritten. */
  boolean isWatched() {
    return !over;
  }

  /**
   * Marks it as killed and sets when SIGKILL is due. A second call can only shorten the grace.
   *
   * @param all its process and the descendants of that, which may be reparented once it has ended
   */
  void kill(long graceMillis, long now, List<ProcStat> all) {
    asking.begin(WayOut.UNWANTED.signal(ReachedProcesses.FIRST), now);
    killed = true;
    family = List.copyOf(all);
    killAtMillis = Math.min(killAtMillis, now + Math.min(graceMillis, request.graceMillis()));
  }

  /** Returns how it is asked to end. */
  TaskAsking asking() {
    return asking;
  }

  /** Returns the processes given to {@link #kill}; empty before. */
  List<ProcStat> family() {
    return family;
  }

  boolean isDueKill(long now) {
    return killAtMillis <= now;
  }

  /** Ends the watch. The record has code 0, since the real exit status is never known here. */
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

  /** Sets the exit record, once it is written and the locks are free. */
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
