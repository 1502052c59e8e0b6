package io.remuda.worker.job;

/**
 * How the process of a command is started.
 *
 * @param pinned whether it is bound to CPUs of its own, as many as it asks for
 */
public record LaunchTerms(boolean pinned) {

  /** Bound to CPUs of its own. */
  public static final LaunchTerms PINNED = new LaunchTerms(true);
}
