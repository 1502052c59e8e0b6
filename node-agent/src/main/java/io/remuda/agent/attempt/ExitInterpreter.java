package io.remuda.agent.attempt;

import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.stream.InputTransferMarkerFiles;
import io.remuda.agent.stream.OutputDestinationRecord;
import java.util.Optional;

/** Converts the exit of a process to the end of its attempt. */
public final class ExitInterpreter {

  private static final String BROKEN_INPUT =
      "its stdin broke off before its end, so that its exit code 0 may mean nothing";

  private ExitInterpreter() {}

  /**
   * Returns whether it was ended, rather than that it ended by itself at the moment at which it was
   * to be ended.
   */
  private static boolean isEnded(ExitRecord exit) {
    Integer signal = signal(exit.status());
    boolean fatal = signal != null && (signal == Posix.SIGKILL || signal == Posix.SIGTERM);
    return exit.killed() || exit.contactLost() || fatal;
  }

  /** Returns whether a success is none, because the task has read an end that was none. */
  private static boolean isUntrue(ExitRecord exit, String endCause, TaskFolder folder) {
    Integer code = exitCode(exit.status());
    boolean succeeded = code != null && code == 0 && endCause == null && !exit.contactLost();
    return succeeded && InputTransferMarkerFiles.isBroken(folder.path());
  }

  /**
   * What the task was ended for, as text.
   *
   * @param host limit of this machine's memory
   * @param gpu promised device memory
   */
  private record PassedLimits(Optional<String> host, Optional<String> gpu) {

    /** Returns the first that is noted. */
    Optional<String> any() {
      return host.or(() -> gpu);
    }
  }

  /**
   * @param wish why this agent was to end it, or null if it was not; it may have ended before
   */
  public static TaskEnd of(ExitRecord exit, String wish, TaskFolder folder) {
    if (folder.isLease()) {
      return DeviceLeaseExitInterpreter.of(exit, wish, folder);
    }
    String endCause = isEnded(exit) ? wish : null;
    if (isUntrue(exit, endCause, folder)) {
      return TaskEnd.because(TaskEnd.Kind.BY_ITSELF, BROKEN_INPUT);
    }
    PassedLimits passed = new PassedLimits(folder.limitPassed(), folder.overUse());
    String kept =
        OutputDestinationRecord.kept(folder.path())
            .map(why -> "; its output is in remuda logs alone: " + why)
            .orElse("");
    return end(
        exit,
        kind(exit, endCause, passed),
        cause(exit, endCause, passed, folder) + kept,
        shortage(exit, endCause, passed, folder));
  }

  /** Returns the end of a task whose folder has no notes, if it has succeeded. */
  static Optional<TaskEnd> success(ExitRecord exit) {
    boolean asked = exit.killed() || exit.contactLost();
    Integer code = exitCode(exit.status());
    return asked || code == null || code != 0
        ? Optional.empty()
        : Optional.of(end(exit, TaskEnd.Kind.BY_ITSELF, "exit code 0", null));
  }

  private static TaskEnd end(
      ExitRecord exit, TaskEnd.Kind kind, String cause, TaskEnd.Shortage shortage) {
    return new TaskEnd(
        kind,
        exitCode(exit.status()),
        signal(exit.status()),
        cause,
        exit.peakRssBytes() > 0 ? exit.peakRssBytes() : null,
        exit.userCpuMillis() + exit.systemCpuMillis(),
        exit.wallMillis(),
        null,
        shortage);
  }

  /** Returns the kind of memory that the task lacked when it failed, or null. */
  private static TaskEnd.Shortage shortage(
      ExitRecord exit, String endCause, PassedLimits passed, TaskFolder folder) {
    Integer code = exitCode(exit.status());
    if (endCause != null || exit.contactLost() || (code != null && code == 0)) {
      return null;
    }
    if (passed.host().isPresent()) {
      return TaskEnd.Shortage.HOST;
    }
    if (passed.gpu().isPresent()) {
      return TaskEnd.Shortage.GPU;
    }
    return OutOfMemoryPhrases.of(folder.errorTail()) ? TaskEnd.Shortage.GPU : null;
  }

  /**
   * Returns what ended the task. A task that is asked to end may die by the signal or exit by
   * itself, for example with code 143; both count as ON_REQUEST.
   */
  private static TaskEnd.Kind kind(ExitRecord exit, String endCause, PassedLimits passed) {
    if (exit.contactLost()) {
      return TaskEnd.Kind.CONTACT_LOST;
    }
    boolean killed = exit.killed() && passed.any().isEmpty();
    boolean asked = endCause != null || killed;
    return asked ? TaskEnd.Kind.ON_REQUEST : TaskEnd.Kind.BY_ITSELF;
  }

  /** Returns the end of an attempt that the keeper did not start. */
  public static TaskEnd refused(SpawnAnswer.Refused refused) {
    TaskEnd.Kind kind =
        switch (refused.code()) {
          case DEVICE_BUSY, DEVICE_LOCK_UNUSABLE -> TaskEnd.Kind.DEVICE_BUSY;
          case EXPIRED, SHUTTING_DOWN -> TaskEnd.Kind.KEEPER_GONE;
          case NOT_BEGUN -> TaskEnd.Kind.NOT_BEGUN;
          case SHORTAGE -> TaskEnd.Kind.NO_ROOM;
          case CANNOT_RUN, WORKING_FOLDER, OUTPUT_FILE, LIMIT, INVALID, GONE ->
              TaskEnd.Kind.CANNOT_START;
        };
    return TaskEnd.because(kind, refused.message());
  }

  private static String cause(
      ExitRecord exit, String endCause, PassedLimits passed, TaskFolder folder) {
    if (endCause != null) {
      return endCause;
    }
    if (exit.contactLost()) {
      return "contact deadline passed";
    }
    if (passed.any().isPresent()) {
      return passed.any().get();
    }
    Integer signal = signal(exit.status());
    if (signal != null) {
      return "signal " + signal;
    }
    Integer code = exitCode(exit.status());
    if (code == null || code == 0) {
      return "exit code " + (code == null ? "unknown" : code);
    }
    return "exit code "
        + code
        + folder.lastWords().map(line -> ": " + line).orElse("")
        + GpuNumberHint.of(folder.errorTail()).orElse("");
  }

  private static Integer exitCode(ExitStatus status) {
    return status instanceof ExitStatus.Code code ? code.value() : null;
  }

  private static Integer signal(ExitStatus status) {
    return status instanceof ExitStatus.Signal signal ? signal.number() : null;
  }
}
