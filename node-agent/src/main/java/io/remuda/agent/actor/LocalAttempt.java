package io.remuda.agent.actor;

import io.remuda.agent.attempt.ExitInterpreter;
import io.remuda.agent.attempt.LeaseExits;
import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskReport.TaskProgress;
import io.remuda.worker.job.AttemptId;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The state of one attempt on this node, from its order or adoption to its end. It follows the
 * keeper's reports and reports each change once. One thread.
 */
final class LocalAttempt {

  /** The effects of an attempt. */
  interface Effects {

    /** Ends the attempt's whole process tree. */
    void kill(AttemptId attempt, KeeperPort.Grace grace);

    /** Passes on the new state. */
    void changed(TaskReport report);

    /**
     * Reads from the folder how the attempt ended, at once or later.
     *
     * @param read creates the end from what it reads; may be called on another thread
     * @param then receives the end, on this thread
     */
    default void readEnd(Supplier<TaskEnd> read, Consumer<TaskEnd> then) {
      then.accept(read.get());
    }
  }

  private final AttemptId id;
  private final TaskFolder folder;
  private final boolean lease;
  private final Effects effects;
  private KeeperPort.Grace grace = KeeperPort.Grace.OWN;
  private TaskPhase phase = TaskPhase.STARTING;
  private long pid;
  private TaskProgress progress;
  private TaskEnd end;
  private String endCause;

  /** Creates an attempt that is about to be started; does not report it. */
  LocalAttempt(AttemptId id, TaskFolder folder, Effects effects) {
    this(id, folder, false, effects);
  }

  /**
   * @param lease whether it is a lease of a running program, so that no process is started
   */
  LocalAttempt(AttemptId id, TaskFolder folder, boolean lease, Effects effects) {
    this.id = id;
    this.folder = folder;
    this.lease = lease;
    this.effects = effects;
  }

  TaskPhase phase() {
    return phase;
  }

  boolean isOver() {
    return phase == TaskPhase.ENDED || phase == TaskPhase.REFUSED;
  }

  /** Applies the keeper's answer to the request to start it. */
  void answered(SpawnAnswer answer) {
    if (isOver()) {
      return;
    }
    if (answer instanceof SpawnAnswer.Started started) {
      pid = started.pid();
      if (endCause == null) {
        become(TaskPhase.RUNNING);
      } else {
        kill();
      }
    } else if (answer instanceof SpawnAnswer.Known known) {
      known(known.task());
      if (endCause != null && phase == TaskPhase.RUNNING) {
        kill();
      }
    } else if (answer instanceof SpawnAnswer.Refused refused && lease && isGone(refused)) {
      effects.readEnd(() -> LeaseExits.gone(folder), this::ended);
    } else if (answer instanceof SpawnAnswer.Refused refused) {
      end = ExitInterpreter.refused(refused);
      become(TaskPhase.REFUSED);
    }
  }

  private static boolean isGone(SpawnAnswer.Refused refused) {
    return refused.code() == RefusalCode.GONE;
  }

  /** Applies the state of a task that the keeper already had. */
  void known(TaskView view) {
    pid = view.pid();
    switch (view.state()) {
      case RUNNING -> become(TaskPhase.RUNNING);
      case ENDING -> become(TaskPhase.ENDING);
      case EXITED -> exited(view.exit());
    }
  }

  /** Ends the attempt; one that is starting is ended once it runs. */
  void end(String cause) {
    if (phase == TaskPhase.STARTING || phase == TaskPhase.RUNNING) {
      endCause = cause;
      if (phase == TaskPhase.RUNNING) {
        kill();
      }
    }
  }

  /** Ends a running attempt for a fault of its own; the cause is already in its folder. */
  void endForItsFault() {
    if (phase == TaskPhase.RUNNING) {
      grace = KeeperPort.Grace.SHORT;
      kill();
    }
  }

  /**
   * Takes its grace away: it is killed if it is ending, else as soon as it is to end. The order by
   * which it is to end may come after this.
   */
  void killNow() {
    grace = KeeperPort.Grace.NONE;
    if (phase == TaskPhase.ENDING) {
      effects.kill(id, grace);
    }
  }

  private void kill() {
    effects.kill(id, grace);
    become(TaskPhase.ENDING);
  }

  /** Reads the end of the attempt after the keeper has reported that nothing of it is left. */
  void exited(ExitRecord exit) {
    if (!isOver()) {
      String cause = endCause;
      effects.readEnd(() -> ExitInterpreter.of(exit, cause, folder), this::ended);
    }
  }

  private void ended(TaskEnd how) {
    if (!isOver()) {
      end = how;
      become(TaskPhase.ENDED);
    }
  }

  /**
   * Applies the keeper's state after a reconnect; messages in both directions may have been lost.
   */
  void rejoined(TaskView view) {
    if (isOver()) {
      return;
    }
    boolean lives = view.state() != TaskView.State.EXITED;
    if (lives && phase == TaskPhase.ENDING) {
      effects.kill(id, grace);
    } else {
      known(view);
      if (endCause != null && phase == TaskPhase.RUNNING) {
        kill();
      }
    }
  }

  /** Handles that the keeper was joined again and does not have the attempt. */
  void missed(String cause) {
    if (phase == TaskPhase.STARTING) {
      notBegun(cause);
    } else {
      keeperGone(cause);
    }
  }

  /**
   * Handles the loss of the keeper and its tasks. A lease continues, because its program is not the
   * keeper's child; the next keeper watches it.
   */
  void keeperGone(String cause) {
    if (!isOver() && !lease) {
      end = TaskEnd.because(TaskEnd.Kind.KEEPER_GONE, "keeper lost: " + cause);
      become(TaskPhase.ENDED);
    }
  }

  /** Handles that the keeper is gone but a process of the attempt cannot be killed. */
  void stays(String reason) {
    if (!isOver() && !lease) {
      end = TaskEnd.because(TaskEnd.Kind.NOT_GONE, reason);
      become(TaskPhase.ENDING);
    }
  }

  /** Handles that the attempt never started, though the keeper had its request. */
  void notBegun(String cause) {
    if (!isOver()) {
      end = TaskEnd.because(TaskEnd.Kind.NOT_BEGUN, cause);
      become(TaskPhase.REFUSED);
    }
  }

  /** Reports the progress of its worker. */
  void progressed(TaskProgress now) {
    progress = now;
    report();
  }

  private void become(TaskPhase next) {
    phase = next;
    report();
  }

  private void report() {
    effects.changed(new TaskReport(id, phase, pid, progress, end));
  }
}
