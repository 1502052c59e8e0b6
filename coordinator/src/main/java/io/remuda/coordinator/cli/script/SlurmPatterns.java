package io.remuda.coordinator.cli.script;

/** Names of output files as Slurm writes them. */
final class SlurmPatterns {

  private SlurmPatterns() {}

  /** Returns the name as Remuda writes it. */
  static String translated(String pattern) {
    return pattern;
  }
}
