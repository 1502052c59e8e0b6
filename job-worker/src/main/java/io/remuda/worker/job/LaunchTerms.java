package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * How the process of a command is started.
 *
 * @param pinned whether it is bound to CPUs of its own, as many as it asks for
 * @param tree of which it gets a copy as its working folder; null for the folder itself
 */
public record LaunchTerms(
    boolean pinned, @JsonInclude(JsonInclude.Include.NON_NULL) FrozenTree tree) {

  /** Bound to CPUs of its own. */
  public static final LaunchTerms PINNED = new LaunchTerms(true, null);
}
