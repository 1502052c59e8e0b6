package io.remuda.coordinator.cli.node;

import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.client.RestClient;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Parameters;

/** A command that changes how a node, or a GPU of it, is used. */
abstract class NodeActionCommand extends ServerCommandBase {

  @Parameters(paramLabel = "NODE")
  private String node;

  private final String action;
  private final String done;

  /**
   * @param action last part of the request's path
   * @param done what happens to the node, as printed
   */
  NodeActionCommand(String action, String done) {
    this.action = action;
    this.done = done;
  }

  /** Returns the last part of the request's path. */
  String action() {
    return action;
  }

  /** Returns what happens to the node, or to each of its GPUs that are meant, as printed. */
  String done() {
    return done;
  }

  /** Returns the GPUs that are meant, by number or UUID; empty for the whole node. */
  List<String> gpus() {
    return List.of();
  }

  /** Returns further parts of the request's query. */
  List<String> query() {
    return List.of();
  }

  @Override
  protected int ask(RestClient server) throws IOException {
    StringBuilder path = new StringBuilder("/nodes/" + RestClient.encode(node) + "/");
    String separator = "?";
    path.append(gpus().isEmpty() ? "" : "gpus/").append(action());
    if (!gpus().isEmpty()) {
      path.append("?gpu=").append(RestClient.encode(String.join(",", gpus())));
      separator = "&";
    }
    for (String part : query()) {
      path.append(separator).append(part);
      separator = "&";
    }
    server.post(path.toString(), null);
    if (!quiet) {
      gpus().forEach(gpu -> print("GPU " + PrintableText.of(gpu) + " of node "));
      if (gpus().isEmpty()) {
        print("node ");
      }
      out().flush();
    }
    return OK;
  }

  private void print(String what) {
    out().println(what + PrintableText.of(node) + " " + done());
  }
}
