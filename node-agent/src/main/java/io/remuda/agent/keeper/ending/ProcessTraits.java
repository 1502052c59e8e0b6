package io.remuda.agent.keeper.ending;

import io.remuda.agent.keeper.proc.ProcStat;

/** What decides whether a process is asked. A process that is gone has no trait. */
public interface ProcessTraits {

  /** What a process is to those who signal it. */
  enum Kind {
    /** It is asked. */
    PROGRAM,
    /** A plain shell: it is asked only if it handles the signal. */
    SHELL,
    /**
     * A program that only starts another one and waits for it, such as {@code timeout}. It is never
     * asked: it ends with what it has started, and some pass a signal on to a whole group.
     */
    LAUNCHER
  }

  Kind kind(ProcStat process);

  /** Returns whether it has a handler for the signal, or has blocked it to read it. */
  boolean handles(ProcStat process, int signal);

  /**
   * Returns whether the kernel drops signals that it does not handle: the first process of a
   * container.
   */
  boolean isDeaf(ProcStat process);

  /**
   * Returns whether a shell that has started it waits for it before it runs a trap. In the
   * background of a shell without job control SIGQUIT is ignored (POSIX, 2.11).
   */
  boolean isInForeground(ProcStat process);

  /**
   * Returns whether it stands in for Slurm's {@code srun}: it passes the signals that it handles on
   * to what it has started.
   */
  boolean isStepLauncher(ProcStat process);
}
