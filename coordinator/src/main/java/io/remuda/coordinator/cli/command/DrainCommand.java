package io.remuda.coordinator.cli.command;

import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lets a node finish what it runs and gives it no more. */
@Command(name = "drain", description = "Lets a node finish what it runs and gives it no more.")
final class DrainCommand extends Verb {

  @Parameters(paramLabel = "NODE")
  private String node;

  @Override
  int ask(RestClient server) throws IOException {
    server.post("/nodes/" + RestClient.encode(node) + "/drain", null);
    if (!quiet) {
      out().println("node " + node + " gets no more tasks");
      out().flush();
    }
    return OK;
  }
}
