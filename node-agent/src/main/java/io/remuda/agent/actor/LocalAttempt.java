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
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One attempt on this node, from its order or its adoption to its end: what the keeper says of its
 * process and what is to become of it. It tells each change once. One thread.
 */
final class LocalAttempt {

  /** What an attempt has done in the world. */
  interface Effects {

    /** Ends its whole tree. */
    void kill(AttemptId attempt, KeeperPort.Grace grace);

    /** Passes on how it is now. */
    void changed(TaskReport report);

    /**
     * Learns from its folder how it has ended, at once or later.
     *
     * @param read makes the end of what it reads, and may be called on another thread
     * @param then is given the end, on this one
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

  /** One that is about to be started; nothing is told of that. */
  LocalAttempt(AttemptId id, TaskFolder folder, Effects effects) {
    this(id, folder, false, effects);
  }

  /**
   * The same.
   *
   * @param lease whether nothing is started, but a program lent something that runs already
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

  /** The keeper says that nothing of it is left. Reads what it has said last. */
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
   * The keeper was joined again and has it: what either has said meanwhile may not have arrived.
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

  /** The keeper was joined again and does not have it. */
  void missed(String cause) {
    if (phase == TaskPhase.STARTING) {
      notBegun(cause);
    } else {
      keeperGone(cause);
    }
  }

  /**
   * The keeper is gone and what it held was ended; a program that it has not started runs on, and
   * the next keeper watches it.
   */
  void keeperGone(String cause) {
    if (!isOver() && !lease) {
      end = TaskEnd.because(TaskEnd.Kind.KEEPER_GONE, "keeper lost: " + cause);
      become(TaskPhase.ENDED);
    }
  }

  /** The keeper is gone, and something of it is not. */
  void stays(String reason) {
    if (!isOver() && !lease) {
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
