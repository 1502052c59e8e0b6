package io.remuda.agent.keeper;

import java.util.Objects;

/**
 * A task as its keeper sees it.
 *
 * @param pid of the first process, which is the leader of the task's session
 * @param startTicks tells this process from a later one of the same pid
 * @param exit null until {@link State#EXITED}
 */
public record TaskView(String key, long pid, long startTicks, State state, ExitRecord exit) {

  /** How far a task has come. */
  public enum State {
    /** Its first process lives. */
    RUNNING,
    /** It is being ended, or its first process is gone and others of its tree are being ended. */
    ENDING,
    /** Its whole tree is gone and the exit record is written. */
    EXITED
  }

  public TaskView {
    Objects.requireNonNull(key, "key");
    if ((state == State.EXITED) != (exit != null)) {
      throw new IllegalArgumentException("exit: " + exit + " does not fit state " + state);
    }
  }
}
