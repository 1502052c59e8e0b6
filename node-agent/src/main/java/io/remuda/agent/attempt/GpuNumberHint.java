package io.remuda.agent.attempt;

import java.util.Optional;
import java.util.regex.Pattern;

/** Detects a program that takes GPUs by number and was told UUIDs. */
final class GpuNumberHint {

  /** The message of Python's {@code int} as in DeepSpeed, vLLM and many scripts. */
  private static final Pattern MESSAGE =
      Pattern.compile("invalid literal for int\\(\\) with base 10: ['\"](GPU|MIG)-");

  private static final String HINT =
      " (it takes GPUs by number, and this task had UUIDs: see programs that want numbers in"
          + " docs/troubleshooting.md)";

  private GpuNumberHint() {}

  /** Returns what to add to the cause of a failure with this end of its stderr; or empty. */
  static Optional<String> of(String tail) {
    return MESSAGE.matcher(tail).find() ? Optional.of(HINT) : Optional.empty();
  }
}
