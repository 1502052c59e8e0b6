package io.remuda.coordinator.cli.jobfile;

import java.util.List;

/** Thrown if a job file cannot be submitted. */
public final class BadJobFileException extends Exception {
  private static final long serialVersionUID = 1;

  private final List<String> faults;

  BadJobFileException(List<String> faults) {
    super(String.join("; ", faults));
    this.faults = List.copyOf(faults);
  }

  /** Returns one line for each fault, as compilers do: {@code FILE:LINE:COLUMN: what is wrong}. */
  public List<String> faults() {
    return faults;
  }
}
