package io.remuda.agent.keeper;

/**
 * Which processes of a task get a signal. The keeper's own form of the reach that users write,
 * since it runs without the classes of jobs.
 */
public enum ReachedProcesses {
  /** The first process; if that is a plain shell without a handler, what it has started. */
  FIRST,
  /** What the first process has started, never the first process itself. */
  CHILDREN,
  /** Every process that handles the signal; if none does, every process. */
  ALL,
  /** Every process at once, whatever it does with the signal. */
  EVERY
}
