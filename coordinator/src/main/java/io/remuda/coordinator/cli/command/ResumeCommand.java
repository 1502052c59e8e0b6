package io.remuda.coordinator.cli.command;

import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Gives a drained node tasks again. */
@Command(name = "resume", description = "Gives a drained node tasks again.")
final class ResumeCommand extends Verb {

  @Parameters(paramLabel = "NODE")
  private String node;

  @Override
  int ask(RestClient server) throws IOException {
    server.post("/nodes/" + RestClient.encode(node) + "/resume", null);
    if (!quiet) {
      out().println("node " + node + " gets tasks again");
      out().flush();
    }
    return OK;
  }
}
