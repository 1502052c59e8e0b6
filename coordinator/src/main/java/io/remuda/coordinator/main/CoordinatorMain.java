package io.remuda.coordinator.main;

import io.remuda.coordinator.cli.command.EnsembleCommand;

/** {@code java -jar coordinator.jar}: runs the ensemble. */
public final class CoordinatorMain {

  private CoordinatorMain() {}

  public static void main(String[] arguments) {
    System.exit(EnsembleCommand.execute(arguments));
  }
}
