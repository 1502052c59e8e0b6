package io.remuda.coordinator.cli.command;

import picocli.CommandLine.Command;

/** Lets jobs that are on hold start. */
@Command(name = "release", description = "Lets jobs that are on hold start.")
final class ReleaseCommand extends JobsChange {

  ReleaseCommand() {
    super("release", "is off hold");
  }
}
