package io.remuda.coordinator.cli.jobfile;

import java.util.List;

/** A file of jobs cannot be submitted. */
public final class BadJobFile extends Exception {
  private static final long serialVersionUID = 1;

  private final List<String> faults;

  BadJobFile(List<String> faults) {
    super(String.join("; ", faults));
    this.faults = List.copyOf(faults);
  }

  /** One line for each fault, as compilers write them: {@code FILE:LINE:COLUMN: what is wrong}. */
  public List<String> faults() {
    return faults;
  }
}
