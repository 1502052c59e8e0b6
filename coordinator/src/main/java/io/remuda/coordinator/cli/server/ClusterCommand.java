package io.remuda.coordinator.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.coordinator.access.MemberKeyFingerprints;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.cli.output.TextTable;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** Shows the coordinators of a cluster. */
@Command(
    name = "cluster",
    description =
        "Shows the coordinators of the cluster, which of them leads, and the key that each shows.",
    subcommands = {ClusterInitCommand.class, HandOverCommand.class, RenewKeyCommand.class},
    synopsisSubcommandLabel = "[init | hand-over | renew-key]")
public final class ClusterCommand extends ServerCommandBase {

  @Override
  protected int ask(RestClient server) throws IOException {
    JsonNode cluster = server.get("/cluster");
    boolean hasKeys = cluster.path("key").isObject(); // a server that is alone has none to show
    ReportedMemberKeys keys = ReportedMemberKeys.ask(hasKeys ? members(server, cluster) : Map.of());
    if (json) {
      for (JsonNode member : cluster.path("members")) {
        MemberKeyFingerprints key = keys.known().get(text(member, "name"));
        ((ObjectNode) member).putPOJO("key", key);
      }
      printJson(cluster);
      return OK;
    }
    TextTable table =
        hasKeys
            ? new TextTable("MEMBER", "ADDRESS", "STATE", "LEADS", "KEY")
            : new TextTable("MEMBER", "ADDRESS", "STATE", "LEADS");
    for (JsonNode member : cluster.path("members")) {
      boolean leads = member.path("leads").asBoolean();
      List<Object> row = new ArrayList<>();
      row.add(text(member, "name"));
      row.add(text(member, "address"));
      row.add(text(member, "state"));
      row.add(leads ? "since " + cluster.path("leader").path("since").asText() : "");
      if (hasKeys) {
        MemberKeyFingerprints key = keys.known().get(text(member, "name"));
        row.add(key == null ? "?" : key.toString());
      }
      table.row(row.toArray());
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

  /** Returns the access to each member that is there, by its name. */
  private static Map<String, ServerAccessFile> members(RestClient server, JsonNode cluster)
      throws IOException {
    ServerAccessFile own = server.access();
    Map<String, ServerAccessFile> members = new LinkedHashMap<>();
    for (JsonNode member : cluster.path("members")) {
      if (!text(member, "state").equals("absent")) {
        members.put(text(member, "name"), own.at("https://" + text(member, "address")));
      }
    }
    return members;
  }
}
