package io.remuda.coordinator.main;

import io.remuda.agent.protocol.BuildVersion;
import io.remuda.coordinator.cli.command.RootCommand;
import io.remuda.coordinator.cli.manual.ManualAndCompletionWriter;
import java.io.IOException;
import java.nio.file.Path;

/** Writes man pages and completion into the folder {@code share}; run by the build. */
public final class ManualMain {

  private ManualMain() {}

  public static void main(String[] arguments) throws IOException {
    new ManualAndCompletionWriter(RootCommand.line().getCommandSpec())
        .write(Path.of(arguments[0]), BuildVersion.VERSION);
  }
}
