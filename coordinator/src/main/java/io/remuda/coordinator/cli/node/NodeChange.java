package io.remuda.coordinator.cli.node;

import io.remuda.coordinator.cli.server.RestCommand;
import io.remuda.coordinator.client.RestClient;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import picocli.CommandLine.Parameters;

/** A command that changes how a node is used. */
abstract class NodeChange extends RestCommand {

  @Parameters(paramLabel = "NODE")
  private String node;

  private final String action;
  private final String done;

  /**
   * @param action last part of the request's path
   * @param done what happens to the node, as printed
   */
  NodeChange(String action, String done) {
    this.action = action;
    this.done = done;
  }

  /** Returns the last part of the request's path. */
  String action() {
    return action;
  }

  /** Returns what happens to the node, as printed. */
  String done() {
    return done;
  }

  @Override
  protected int ask(RestClient server) throws IOException {
    server.post("/nodes/" + RestClient.encode(node) + "/" + action(), null);
    if (!quiet) {
      out().println("node " + PrintableText.of(node) + " " + done());
      out().flush();
    }
    return OK;
  }
}
