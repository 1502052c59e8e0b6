package io.remuda.coordinator.main;

import io.remuda.coordinator.cli.command.CommandList;
import io.remuda.coordinator.cli.command.RootCommand;
import io.remuda.coordinator.client.TlsWarmUp;

/** The main class of {@code coordinator.jar}: runs the command line. */
public final class CoordinatorMain {

  private CoordinatorMain() {}

  public static void main(String[] arguments) {
    if (arguments.length > 0 && CommandList.asksServer(arguments[0])) {
      TlsWarmUp.start();
    }
    System.exit(RootCommand.execute(arguments));
  }
}
