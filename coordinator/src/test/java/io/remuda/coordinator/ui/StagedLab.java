package io.remuda.coordinator.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** All answers of a lab with three nodes and a queue. */
final class StagedLab {

  private static final long GIB = 1L << 30;
  private static final Set<String> GPU_JOBS = Set.of("llama-finetune", "resnet-152");

  private StagedLab() {}

  /** Has a server say them. */
  static StagedServer stage(StagedServer server) {
    ObjectNode top = StagedCluster.lab();
    server.says("/top", query -> StagedCluster.lab());
    ObjectNode list = StagedServer.JSON.createObjectNode();
    ArrayNode jobs = list.putArray("jobs");
    list.putNull("next");
    top.path("jobs").forEach(job -> jobs.add(listed(job)));
    server.says("/jobs", query -> filtered(list, query));
    for (JsonNode job : jobs) {
      String path = "/jobs/" + job.path("id").asLong();
      server.says(path, details(job));
      server.says(path + "/tasks", tasks(job));
      server.says(path + "/logs", TextNode.valueOf(output()));
    }
    List<String> uuids = new ArrayList<>();
    top.path("gpus").forEach(gpu -> uuids.add(gpu.path("uuid").asText()));
    server.says("/history", new StagedHistory(uuids)::answer);
    server.says("/nodes", nodes(top));
    server.says("/usage", StagedUsage.answer());
    server.says("/timeline", query -> StagedTimeline.answer(top, query));
    server.says("/jobs/17/explain", explained());
    server.says("/jobs/17/waiting", waited());
    return server;
  }

  private static ObjectNode nodes(ObjectNode top) {
    ObjectNode answer = StagedServer.JSON.createObjectNode();
    ArrayNode nodes = answer.putArray("nodes");
    for (JsonNode node : top.path("nodes")) {
      ArrayNode devices =
          nodes.addObject().put("name", node.path("name").asText()).putArray("devices");
      for (JsonNode gpu : top.path("gpus")) {
        if (gpu.path("node").equals(node.path("name"))) {
          devices
              .addObject()
              .put("uuid", gpu.path("uuid").asText())
              .put("number", gpu.path("number").asText());
        }
      }
    }
    return answer;
  }

  private static JsonNode filtered(ObjectNode list, String query) {
    ObjectNode shown = list.deepCopy();
    if (query.contains("state=")) {
      List<String> states = List.of(query.replaceAll("(?:.*&)?state=([^&]*).*", "$1").split("%2C"));
      shown.putArray("jobs");
      for (JsonNode job : list.path("jobs")) {
        if (states.contains(job.path("state").asText())) {
          shown.withArray("jobs").add(job);
        }
      }
    }
    return shown;
  }

  private static ObjectNode listed(JsonNode job) {
    ObjectNode listed = job.deepCopy();
    boolean large = GPU_JOBS.contains(job.path("name").asText());
    ObjectNode needs = listed.putObject("needs");
    needs.put("cpus", 4).put("gpus", large ? 2 : 1).put("memory", 32 * GIB);
    needs.put("gpuMemory", large ? 0 : 44 * GIB).put("gpuModel", large ? "H200" : null);
    ObjectNode terms = listed.putObject("terms");
    terms.put("type", job.path("name").asText().replaceFirst("-[0-9.]+$", "")).put("priority", 0);
    terms.put("timeLimitMillis", 21_600_000).put("retries", 2);
    listed.putObject("counts").put(job.path("state").asText(), 1);
    if (job.path("state").asText().equals("running")) {
      listed.putArray("nodes").add(large ? "lab7" : "lab8");
    }
    return listed;
  }

  private static ObjectNode details(JsonNode listed) {
    ObjectNode job = listed.deepCopy();
    ObjectNode work = job.putObject("workload");
    work.put("workload", "command").put("folder", "/home/ann/trainings");
    ArrayNode argv = work.putArray("argv");
    List.of("python", "train.py", "--model", job.path("name").asText(), "--lr", "0.1")
        .forEach(argv::add);
    work.putObject("environment")
        .put("PATH", "/usr/bin:/bin")
        .put("OMP_NUM_THREADS", "4")
        .put("WANDB_MODE", "offline");
    if (job.path("id").asInt() == 17) {
      job.putArray("dependents").add(23);
    }
    return job;
  }

  private static ObjectNode tasks(JsonNode job) {
    ObjectNode answer = StagedServer.JSON.createObjectNode();
    ArrayNode tasks = answer.putArray("tasks");
    answer.putNull("next");
    String started = job.path("startedAt").asText("");
    if (!started.isEmpty()) {
      ObjectNode task =
          tasks
              .addObject()
              .put("id", job.path("id").asText() + ".0")
              .put("index", 0)
              .put("state", "running")
              .put("attempt", 2)
              .put("node", "lab7")
              .put("startedAt", started)
              .put("peakRssBytes", 21 * GIB)
              .put("cpuPercent", 71)
              .put("gpuPercent", 88)
              .put("gpuMostPercent", 99)
              .put("gpuPeakBytes", 40 * GIB);
      task.putArray("earlier")
          .addObject()
          .put("attempt", 1)
          .put("node", "lab9")
          .put("startedAt", Instant.parse(started).minusSeconds(1900).toString())
          .put("endedAt", Instant.parse(started).minusSeconds(30).toString())
          .put("cause", "its node was drained: a fan is loud");
    }
    return answer;
  }

  private static String output() {
    StringBuilder text = new StringBuilder("loading 1,281,167 images\n");
    for (int epoch = 1; epoch < 40; epoch++) {
      text.append(
          "epoch %2d  loss %.4f  accuracy %.3f  1812 images/s\n"
              .formatted(epoch, 6.2 / (1 + epoch * 0.21), 1 - 0.9 / (1 + epoch * 0.14)));
    }
    return text.toString();
  }

  private static ObjectNode explained() {
    ObjectNode answer = StagedServer.JSON.createObjectNode();
    ArrayNode text = answer.putArray("text");
    text.add("wants 2 GPUs H200, 4 CPUs, 32.0 GiB on one node");
    text.add("lab7: 0 of 4 GPUs free, wanted 2");
    text.add("lab8: 1 of 4 GPUs free, wanted 2");
    text.add("lab9: is drained: a fan is loud");
    text.add("it is its turn: place 1 of 2; a place is kept for it on lab8");
    ArrayNode holders = answer.putArray("holders");
    holder(holders, "lab7", 15, "resnet-152", "cleo", 2, 39_000);
    holder(holders, "lab8", 18, "bert-base", "dora", 1, 3100);
    holder(holders, "lab8", 19, "bert-large", "dora", 1, 3100);
    holder(holders, "lab7", 20, "notebook", "ben", 1, null);
    return answer;
  }

  private static void holder(
      ArrayNode to, String node, int job, String name, String user, int gpus, Integer until) {
    ObjectNode one = to.addObject().put("node", node).put("job", job).put("name", name);
    one.put("user", user).put("gpus", gpus).put("cpus", 4 * gpus);
    if (until != null) {
      one.put("until", Instant.now().plusSeconds(until).toString());
    }
  }

  private static ObjectNode waited() {
    long now = Instant.now().getEpochSecond();
    ObjectNode answer = StagedServer.JSON.createObjectNode().put("since", now - 86_400);
    ArrayNode reasons = answer.putArray("reasons");
    reason(reasons, "user-limit", "ann has 6 of 6 GPUs at once", now - 5400, now - 4100, 4, null);
    reason(
        reasons,
        "no-room-on-gpus",
        "lab7 and lab8 have no 2 free GPUs",
        now - 4100,
        now - 900,
        2,
        now + 7000);
    reason(
        reasons,
        "kept",
        "a place is kept for it on lab8: GPU 1 is free, GPU 3 is awaited",
        now - 900,
        null,
        1,
        now + 3100);
    return answer;
  }

  private static void reason(
      ArrayNode to, String reason, String text, long from, Long until, int turn, Long expected) {
    to.addObject()
        .put("reason", reason)
        .put("text", text)
        .put("from", from)
        .put("to", until)
        .put("turn", turn)
        .put("expectedStart", expected);
  }
}
