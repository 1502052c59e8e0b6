package io.remuda.coordinator.cli.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.top.TopActions;
import io.remuda.coordinator.client.RequestEnd;
import io.remuda.coordinator.client.RestClient;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What {@code remuda top} does with jobs, by requests to a server. */
final class TopJobActions implements TopActions {

  /** Number of bytes of each stream that are shown. */
  private static final int LAST_BYTES = 4096;

  private static final int MOST_LINES = 200;

  /** No key is read meanwhile. */
  private static final Duration LONGEST = Duration.ofSeconds(10);

  /** Finds the server, which may have been started again. */
  interface ServerSource {
    RestClient find() throws IOException, InterruptedException;
  }

  private final ServerSource servers;

  TopJobActions(ServerSource servers) {
    this.servers = servers;
  }

  private RestClient server() throws IOException {
    try {
      return servers.find().until(RequestEnd.in(LONGEST));
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", stop);
    }
  }

  @Override
  public String cancel(long job) throws IOException {
    server().post("/jobs/" + job + "/cancel", null);
    return "job " + job + " is cancelled";
  }

  @Override
  public List<String> details(long job) throws IOException {
    RestClient server = server();
    JsonNode shown = server.get("/jobs/" + job);
    List<String> lines = new ArrayList<>();
    lines.add(
        "job "
            + job
            + " "
            + PrintableText.of(shown.path("name").asText())
            + " of "
            + PrintableText.of(shown.path("user").asText())
            + " is "
            + shown.path("state").asText()
            + ": q closes, arrows scroll");
    for (JsonNode text : server.get("/jobs/" + job + "/explain").path("text")) {
      lines.add("  " + PrintableText.of(text.asText()));
    }
    JsonNode task = task(shown.path("attempts"));
    if (task != null) {
      printed(server, job, task, "out", lines);
      printed(server, job, task, "err", lines);
    }
    return lines;
  }

  /** Returns the first task that runs, or else the last that has begun; null without any. */
  private static JsonNode task(JsonNode attempts) {
    JsonNode last = null;
    for (JsonNode task : attempts) {
      if (task.path("state").asText().equals("running")) {
        return task;
      }
      last = task.path("attempt").asInt() > 0 ? task : last;
    }
    return last;
  }

  private static void printed(
      RestClient server, long job, JsonNode task, String stream, List<String> lines)
      throws IOException {
    String path = "/jobs/" + job + "/logs?stream=" + stream + "&task=" + task.path("index").asInt();
    lines.add("");
    lines.add("the end of std" + stream + " of task " + task.path("id").asText() + ":");
    try {
      long size = server.bytes(path + "&limit=1").size();
      long from = Math.max(0, size - LAST_BYTES);
      String text =
          size == 0
              ? ""
              : new String(server.bytes(path + "&offset=" + from).bytes(), StandardCharsets.UTF_8);
      List<String> all = text.lines().map(PrintableText::of).toList();
      lines.addAll(all.subList(Math.max(0, all.size() - MOST_LINES), all.size()));
    } catch (IOException no) {
      lines.add(no.getMessage());
    }
  }
}
