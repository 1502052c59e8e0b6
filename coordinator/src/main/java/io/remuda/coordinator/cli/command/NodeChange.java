package io.remuda.coordinator.cli.command;

import io.remuda.coordinator.client.RestClient;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import picocli.CommandLine.Parameters;

/** A verb that changes how a node is used. */
abstract class NodeChange extends RestCommand {

  @Parameters(paramLabel = "NODE")
  private String node;

  private final String action;
  private final String done;

  /**
   * A change of a node.
   *
   * @param action last part of its path
   * @param done what becomes of the node, for people
   */
  NodeChange(String action, String done) {
    this.action = action;
    this.done = done;
  }

  /** Last part of the path. */
  String action() {
    return action;
  }

  /** What becomes of the node. */
  String done() {
    return done;
  }

  @Override
  int ask(RestClient server) throws IOException {
    server.post("/nodes/" + RestClient.encode(node) + "/" + action(), null);
    if (!quiet) {
      out().println("node " + PrintableText.of(node) + " " + done());
      out().flush();
    }
    return OK;
  }
}
