package io.remuda.agent.actor;

import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskReport.TaskProgress;
import io.remuda.worker.job.AttemptId;

/**
 * One attempt on this node, from its order or its adoption to its end: what the keeper says of its
 * process and what is to become of it. It tells each change once. One thread.
 */
final class LocalAttempt {

  /** What an attempt has done in the world. */
  interface Effects {

    /** Ends its whole tree. */
    void kill(AttemptId attempt);

    /** Passes on how it is now. */
    void changed(TaskReport report);
  }

  private final AttemptId id;
  private final TaskFolder folder;
  private final Effects effects;
  private TaskPhase phase = TaskPhase.STARTING;
  private long pid;
  private TaskProgress progress;
  private TaskEnd end;
  private String endCause;

  /** One that is about to be started; nothing is told of that. */
  LocalAttempt(AttemptId id, TaskFolder folder, Effects effects) {
    this.id = id;
    this.folder = folder;
    this.effects = effects;
  }

  TaskPhase phase() {
    return phase;
  }

  boolean isOver() {
    return phase == TaskPhase.ENDED || phase == TaskPhase.REFUSED;
  }

  /** The keeper has answered the order to start it. */
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
    } else if (answer instanceof SpawnAnswer.Refused refused
        && folder.isLease()
        && isGone(refused)) {
      end = LeaseEnds.gone(folder);
      become(TaskPhase.ENDED);
    } else if (answer instanceof SpawnAnswer.Refused refused) {
      end = TaskEnds.refused(refused);
      become(TaskPhase.REFUSED);
    }
  }

  private static boolean isGone(SpawnAnswer.Refused refused) {
    return refused.code() == RefusalCode.GONE;
  }

  /** The keeper had it before. */
  void known(TaskView view) {
    pid = view.pid();
    switch (view.state()) {
      case RUNNING -> become(TaskPhase.RUNNING);
      case ENDING -> become(TaskPhase.ENDING);
      case EXITED -> exited(view.exit());
    }
  }

  /** Ends it, as soon as it has begun. */
  void end(String cause) {
    if (phase == TaskPhase.STARTING || phase == TaskPhase.RUNNING) {
      endCause = cause;
      if (phase == TaskPhase.RUNNING) {
        kill();
      }
    }
  }

  /** Ends it for a fault of its own, which is noted in its folder. */
  void endForItsFault() {
    if (phase == TaskPhase.RUNNING) {
      kill();
    }
  }

  private void kill() {
    effects.kill(id);
    become(TaskPhase.ENDING);
  }

  /** The keeper says that nothing of it is left. Reads what it has said last. */
  void exited(ExitRecord exit) {
    if (!isOver()) {
      end = TaskEnds.of(exit, endCause, folder);
      become(TaskPhase.ENDED);
    }
  }

  /**
   * The keeper is gone and what it held was ended; a program that it has not started runs on, and
   * the next keeper watches it.
   */
  void keeperGone(String cause) {
    if (!isOver() && !folder.isLease()) {
      end = TaskEnd.because(TaskEnd.Kind.KEEPER_GONE, "keeper lost: " + cause);
      become(TaskPhase.ENDED);
    }
  }

  /** The keeper is gone, and something of it is not. */
  void stays(String reason) {
    if (!isOver() && !folder.isLease()) {
      end = TaskEnd.because(TaskEnd.Kind.NOT_GONE, reason);
      become(TaskPhase.ENDING);
    }
  }

  /** It was in the keeper's hands and never began. */
  void notBegun(String cause) {
    if (!isOver()) {
      end = TaskEnd.because(TaskEnd.Kind.NOT_BEGUN, cause);
      become(TaskPhase.REFUSED);
    }
  }

  /** How far its worker is. */
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
