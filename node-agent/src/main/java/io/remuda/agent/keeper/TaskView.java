package io.remuda.agent.keeper;

import java.util.Objects;

/**
 * The state of a task in its keeper.
 *
 * @param pid of the first process, which is the leader of the task's session
 * @param startTicks distinguishes this process from a later one with the same pid
 * @param exit null until {@link State#EXITED}
 */
public record TaskView(String key, long pid, long startTicks, State state, ExitRecord exit) {

  /** The stage of a task. */
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
