package io.remuda.agent.actor;

import io.remuda.agent.attempt.ExitInterpreter;
import io.remuda.agent.attempt.UninterpretedAttemptEnd;
import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.ending.WayOut;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskReport.TaskProgress;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.TrainingProgress;
import java.util.Optional;

/**
 * The state of one attempt on this node, from its order or adoption to its end. It follows the
 * keeper's reports and reports each change once. One thread.
 */
final class LocalAttempt {

  /** The effects of an attempt. */
  interface Effects {

    /**
     * Ends the attempt's whole process tree.
     *
     * @param chosen the job's own signal that asks it; null for that of the way
     */
    void end(AttemptId attempt, WayOut way, EndingSignal chosen);

    /** Passes on the new state. */
    void changed(TaskReport report);

    /**
     * Has the end of the attempt read from its folder.
     *
     * @return the end if it is read at once; if empty, {@link LocalAttempt#ended} receives it later
     */
    Optional<TaskEnd> readEnd(AttemptId attempt, UninterpretedAttemptEnd unread);
  }

  private final AttemptId id;
  private final boolean lease;
  private final Effects effects;
  private WayOut way = WayOut.UNWANTED;

  /** The job's own signal that asks it; null for that of the way. */
  private EndingSignal chosen;

  private TaskPhase phase = TaskPhase.STARTING;
  private long pid;
  private TaskProgress progress;
  private TrainingProgress training;
  private TaskEnd end;
  private String endCause;

  /** Creates an attempt that is about to be started; does not report it. */
  LocalAttempt(AttemptId id, Effects effects) {
    this(id, false, null, effects);
  }

  /**
   * @param lease whether it is a lease of a running program, so that no process is started
   * @param training how far it is, if it is a training that has told it; else null
   */
  LocalAttempt(AttemptId id, boolean lease, TrainingProgress training, Effects effects) {
    this.id = id;
    this.lease = lease;
    this.training = training;
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
      effects.readEnd(id, UninterpretedAttemptEnd.ofGoneProgram()).ifPresent(this::ended);
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
    end(cause, WayOut.UNWANTED, null);
  }

  /**
   * Ends the attempt; one that is starting is ended once it runs.
   *
   * @param by the job's own signal that asks it; null for that of the way
   */
  void end(String cause, WayOut how, EndingSignal by) {
    if (phase == TaskPhase.STARTING || phase == TaskPhase.RUNNING) {
      endCause = cause;
      way = way == WayOut.AT_ONCE ? way : how;
      chosen = by;
      if (phase == TaskPhase.RUNNING) {
        kill();
      }
    }
  }

  /** Ends a running attempt for a fault of its own; the cause is already in its folder. */
  void endForItsFault() {
    if (phase == TaskPhase.RUNNING) {
      way = WayOut.GPU_MEMORY;
      kill();
    }
  }

  /**
   * Takes its grace away: it is killed if it is ending, else as soon as it is to end. The order by
   * which it is to end may come after this.
   */
  void killNow() {
    way = WayOut.AT_ONCE;
    chosen = null;
    if (phase == TaskPhase.ENDING) {
      effects.end(id, way, chosen);
    }
  }

  private void kill() {
    effects.end(id, way, chosen);
    become(TaskPhase.ENDING);
  }

  /** Reads the end of the attempt after the keeper has reported that nothing of it is left. */
  void exited(ExitRecord exit) {
    if (!isOver()) {
      effects.readEnd(id, new UninterpretedAttemptEnd(exit, endCause)).ifPresent(this::ended);
    }
  }

  /** Applies the end that was read from the folder; does nothing if the attempt is over. */
  void ended(TaskEnd how) {
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
      effects.end(id, way, chosen);
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

  /** Reports how far a training is. */
  void trained(TrainingProgress told) {
    training = told;
    report();
  }

  private void become(TaskPhase next) {
    phase = next;
    report();
  }

  private void report() {
    effects.changed(new TaskReport(id, phase, pid, progress, end).with(training));
  }
}
