package io.remuda.agent.keeper.ending;

import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.ReachedProcesses;
import java.util.List;

/**
 * The ways out of a task, and the two signals that end none: which processes get which signal, and
 * how long they have. Agent and keeper ask by these rows, and docs/ending.md is made from them.
 */
public enum WayOut {
  /** The server no longer wants the task. */
  UNWANTED(
      List.of(
          "`remuda cancel`, `remuda stop`", "`--time-limit`, `--job-time-limit`", "`--max-fails`"),
      Sign.TERM,
      ReachedProcesses.FIRST,
      EndingGrace.OWN),
  /** Another member of its gang has failed; the coordinator counts the time for all members. */
  GANG_ENDS(
      List.of("another member of its gang has failed"),
      Sign.TERM,
      ReachedProcesses.FIRST,
      EndingGrace.GANG),
  /** The task is to leave its place, and may run again. */
  LEAVE(
      List.of(
          "`remuda requeue`",
          "preemption",
          "`remuda drain --move`",
          "a training gets another number of GPUs",
          "the Slurm allocation ends"),
      Sign.CHOSEN,
      ReachedProcesses.FIRST,
      EndingGrace.OWN),
  /** Its agent ends with all tasks. */
  AGENT_ENDS(
      List.of("the agent of a run, or of `remuda run` without a server, is stopped or signalled"),
      Sign.TERM,
      ReachedProcesses.FIRST,
      EndingGrace.NODE),
  /** The contact deadline has passed: the task may already run elsewhere. */
  CONTACT_LOST(
      List.of("no contact to the server for so long that the task may be started elsewhere"),
      Sign.TERM,
      ReachedProcesses.FIRST,
      EndingGrace.SECOND),
  /** It holds memory of the machine that others were promised. */
  MEMORY(
      List.of("it holds more memory than its `--mem`"),
      Sign.TERM,
      ReachedProcesses.EVERY,
      EndingGrace.SECOND),
  /** It holds memory of a GPU that others were promised. */
  GPU_MEMORY(
      List.of("it holds GPU memory that is promised to others"),
      Sign.TERM,
      ReachedProcesses.EVERY,
      EndingGrace.NODE),
  /** Its first process has ended by itself; what is left ends with it. */
  FIRST_ENDED(
      List.of("its first process has ended by itself: what is left"),
      Sign.TERM,
      ReachedProcesses.EVERY,
      EndingGrace.MOMENT),
  /** It gets no time. */
  AT_ONCE(
      List.of("`remuda cancel --now`, `remuda stop --now`"),
      Sign.KILL,
      ReachedProcesses.EVERY,
      EndingGrace.NONE),
  /** The keeper is gone, or was given up. */
  KEEPER_LOST(
      List.of("its keeper is killed, or is stopped for a minute"),
      Sign.KILL,
      ReachedProcesses.EVERY,
      EndingGrace.NONE),
  /** A signal before the time limit, which ends nothing by itself. */
  WARNING(List.of("`--signal SIG@D`"), Sign.OF_USER, ReachedProcesses.FIRST, null),
  /** A signal of the user, which ends nothing by itself. */
  USER_SIGNAL(List.of("`remuda signal SIG`"), Sign.OF_USER, ReachedProcesses.FIRST, null);

  /** The signals by which tasks are asked. */
  public enum Sign {
    TERM("SIGTERM"),
    CHOSEN("`--preempt-signal`, else SIGTERM"),
    KILL("SIGKILL"),
    OF_USER("SIG");

    private final String words;

    Sign(String words) {
      this.words = words;
    }

    /** Returns it for users. */
    public String words() {
      return words;
    }
  }

  private final List<String> cases;
  private final Sign sign;
  private final ReachedProcesses reach;
  private final EndingGrace grace;

  WayOut(List<String> cases, Sign sign, ReachedProcesses reach, EndingGrace grace) {
    this.cases = cases;
    this.sign = sign;
    this.reach = reach;
    this.grace = grace;
  }

  /** Returns what leads here, for users. */
  public List<String> cases() {
    return cases;
  }

  /** Returns by which signal its processes are asked. */
  public Sign sign() {
    return sign;
  }

  /** Returns which processes are asked, unless the job or the node says something else. */
  public ReachedProcesses reach() {
    return reach;
  }

  /** Returns how long they have; null if nothing follows. */
  public EndingGrace grace() {
    return grace;
  }

  /**
   * Returns the signal that asks.
   *
   * @param usual which processes the task's node asks where the row says the first one
   */
  public EndingSignal signal(ReachedProcesses usual) {
    return EndingSignal.term(reach == ReachedProcesses.FIRST ? usual : reach);
  }
}
