package io.remuda.coordinator.cli.job;

import picocli.CommandLine.Command;

/** Releases jobs that are on hold. */
@Command(
    name = "release",
    description = "Releases whole jobs that are on hold, so that they can start.")
public final class ReleaseCommand extends JobActionCommand {

  ReleaseCommand() {
    super("release", "is released");
  }
}
