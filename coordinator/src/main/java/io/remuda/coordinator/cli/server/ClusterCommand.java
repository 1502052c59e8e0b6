package io.remuda.coordinator.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.output.TextTable;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Shows the coordinators of a cluster. */
@Command(
    name = "cluster",
    description = "Shows the coordinators of the cluster, and which of them leads.",
    subcommands = {ClusterInitCommand.class, HandOverCommand.class},
    synopsisSubcommandLabel = "[init | hand-over]")
public final class ClusterCommand extends RestCommand {

  @Override
  protected int ask(RestClient server) throws IOException {
    JsonNode cluster = server.get("/cluster");
    if (json) {
      printJson(cluster);
      return OK;
    }
    TextTable table = new TextTable("MEMBER", "ADDRESS", "STATE", "LEADS");
    for (JsonNode member : cluster.path("members")) {
      boolean leads = member.path("leads").asBoolean();
      table.row(
          text(member, "name"),
          text(member, "address"),
          text(member, "state"),
          leads ? "since " + cluster.path("leader").path("since").asText() : "");
    }
    print(table);
    if (!quiet) {
      JsonNode leader = cluster.path("leader");
      out().println("state: " + text(cluster, "store"));
      out()
          .println(
              leader.isNull()
                  ? "no coordinator leads at present"
                  : "epoch " + leader.path("epoch").asLong());
      if (text(leader, "trouble") != null) {
        out().println("the state cannot be written: " + text(leader, "trouble"));
      }
      if (text(cluster, "notReady") != null) {
        out().println(text(cluster, "member") + " is not ready: " + text(cluster, "notReady"));
      }
      out().flush();
    }
    return OK;
  }
}
