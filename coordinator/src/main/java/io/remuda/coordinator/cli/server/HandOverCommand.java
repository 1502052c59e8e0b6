package io.remuda.coordinator.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Has another coordinator lead. */
@Command(
    name = "hand-over",
    description =
        "Makes another coordinator the leader: the one that leads leaves the cluster and joins again. With"
            + " MEMBER this goes on until MEMBER leads. No task notices.")
public final class HandOverCommand extends ServerCommandBase {

  private static final long DEADLINE_NANOS = 60_000_000_000L;
  private static final long LOOK_MILLIS = 200;

  @Parameters(
      paramLabel = "MEMBER",
      arity = "0..1",
      description = "the coordinator that is to lead")
  private String member;

  @Override
  protected int ask(RestClient server) throws IOException, InterruptedException {
    JsonNode cluster = server.get("/cluster");
    List<String> names = new ArrayList<>();
    cluster.path("members").forEach(one -> names.add(text(one, "name")));
    if (member != null && !names.contains(member)) {
      throw new ParameterException(
          spec.commandLine(), "there is no member " + member + ": " + String.join(", ", names));
    }
    String first = leaderOf(cluster);
    if (first.isEmpty()) {
      err().println("remuda: no coordinator leads at present");
      err().flush();
      return FAILURE;
    }
    String leader = first;
    long deadline = System.nanoTime() + DEADLINE_NANOS;
    while (member == null ? leader.equals(first) : !leader.equals(member)) {
      at(cluster, leader).post("/cluster/hand-over", null);
      leader = awaitOther(server, leader, deadline);
      cluster = awaitUp(server, cluster.path("members").size(), deadline);
    }
    if (json) {
      printJson(cluster);
    } else if (!quiet) {
      out().println(leader + " leads");
      out().flush();
    }
    return OK;
  }

  private static String leaderOf(JsonNode cluster) {
    return cluster.path("leader").path("member").asText("");
  }

  /** Returns a client of the member itself: each member leaves by its own order. */
  private RestClient at(JsonNode cluster, String name) throws IOException {
    for (JsonNode one : cluster.path("members")) {
      if (text(one, "name").equals(name)) {
        Optional<ServerAccessFile> own =
            ServerAccessFile.read(caller().paths().state().resolve(ServerAccessFile.FILE));
        return new RestClient(own.orElseThrow().at("https://" + text(one, "address")));
      }
    }
    throw new IOException("there is no member " + name);
  }

  private static String awaitOther(RestClient server, String before, long deadline)
      throws IOException, InterruptedException {
    while (true) {
      String now = leaderOf(server.get("/cluster"));
      if (!now.isEmpty() && !now.equals(before)) {
        return now;
      }
      pause(deadline, "no other coordinator leads");
    }
  }

  /** Waits for the one that has left, so that the next one may leave. */
  private static JsonNode awaitUp(RestClient server, int all, long deadline)
      throws IOException, InterruptedException {
    while (true) {
      JsonNode cluster = server.get("/cluster");
      int up = 0;
      for (JsonNode one : cluster.path("members")) {
        up += text(one, "state").equals("up") ? 1 : 0;
      }
      if (up == all && !leaderOf(cluster).isEmpty()) {
        return cluster;
      }
      pause(deadline, "the coordinator that has left is not back");
    }
  }

  private static void pause(long deadline, String what) throws IOException, InterruptedException {
    if (System.nanoTime() - deadline > 0) {
      throw new IOException(what + " after 60 s: remuda cluster shows who is there");
    }
    Thread.sleep(LOOK_MILLIS);
  }
}
