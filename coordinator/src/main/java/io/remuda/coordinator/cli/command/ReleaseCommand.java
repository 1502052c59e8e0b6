package io.remuda.coordinator.cli.command;

import picocli.CommandLine.Command;

/** Releases jobs that are on hold. */
@Command(name = "release", description = "Releases jobs that are on hold, so that they can start.")
final class ReleaseCommand extends JobsChange {

  ReleaseCommand() {
    super("release", "is off hold");
  }
}
