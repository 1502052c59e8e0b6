package io.remuda.coordinator.ui;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/** Answers of {@code GET /top}: a small lab as in the README, and a cluster of any size. */
final class StagedCluster {

  private static final long GIB = 1L << 30;

  private final Instant now = Instant.now();
  private final ObjectNode top = StagedServer.JSON.createObjectNode();
  private final ArrayNode nodes = top.putArray("nodes");
  private final ArrayNode gpus = top.putArray("gpus");
  private final ObjectNode counts = top.putObject("counts");
  private final ArrayNode jobs = top.putArray("jobs");

  private StagedCluster() {
    top.put("time", now.toString());
  }

  /** Three nodes with all that a GPU can be, and a queue that says why. */
  static ObjectNode lab() {
    StagedCluster lab = new StagedCluster();
    lab.node("lab7", "ready", null, 1);
    lab.node("lab8", "ready", null, 1);
    lab.node("lab9", "draining", "a fan is loud", 2);
    lab.gpu("lab7", 0, "H200", 141, 72, 93, 442)
        .shared(12, 44, 40)
        .shared(13, 44, 22)
        .shared(14, 34, 10);
    lab.gpu("lab7", 1, "H200", 141, 128, 88, 622).whole(15, 128);
    lab.gpu("lab7", 2, "H200", 141, 119, 97, 661).whole(15, 119);
    lab.gpu("lab7", 3, "H200", 141, 1, 0, 78).whole(20, 1);
    lab.gpu("lab8", 0, "H200", 141, 66, 41, 290).shared(16, 40, 37).others(29, "jupyter", "ben");
    lab.gpu("lab8", 1, "H200", 141, 0, 0, 70);
    lab.gpu("lab8", 2, "H200", 141, 55, 64, 388).shared(12, 60, 55);
    lab.gpu("lab8", 3, "H200", 141, 96, 12, 180).shared(18, 48, 47).shared(19, 52, 49);
    for (int number = 0; number < 4; number++) {
      Gpu gpu = lab.gpu("lab9", number, "L40S", 48, number == 0 ? 31 : 0, number == 0 ? 76 : 0, 90);
      gpu.json.put("state", "draining").put("drainReason", "a fan is loud");
      if (number == 0) {
        gpu.whole(21, 31);
      } else if (number == 3) {
        gpu.json
            .putNull("utilization")
            .putNull("usedBytes")
            .putNull("powerWatts")
            .put("health", "lost");
      }
    }
    lab.job(12, "lr-0.1", "ann", "running", 4210, "");
    lab.job(13, "lr-0.3", "ann", "running", 4208, "");
    lab.job(14, "lr-0.5", "ann", "running", 600, "");
    lab.job(15, "resnet-152", "cleo", "running", 52_000, "epoch 34 of 90, 21 min each");
    lab.job(16, "eval", "ben", "running", 1300, "");
    lab.job(18, "bert-base", "dora", "running", 9000, "");
    lab.job(19, "bert-large", "dora", "running", 8800, "");
    lab.job(20, "notebook", "ben", "running", 71_000, "");
    lab.job(21, "segment", "cleo", "running", 12_000, "");
    lab.waiting(
        17,
        "llama-finetune",
        "ann",
        5400,
        1,
        "lab7: 0 of 4 GPUs free, wanted 2; lab8: 1 of 4 GPUs free, wanted 2; lab9 is drained: a fan is loud",
        3100L);
    lab.waiting(22, "diffusion", "dora", 2100, 2, "after job 17: a place is kept for it", 9800L);
    lab.job(23, "report", "ann", "submitted", 1800, "it starts after job 17:ok");
    lab.job(24, "night-sweep", "ben", "held", 86_000, "held by ben");
    return lab.top;
  }

  /** Any number of nodes with 8 GPUs each. */
  static ObjectNode large(int count, int round) {
    StagedCluster large = new StagedCluster();
    for (int node = 0; node < count; node++) {
      String name = "n%04d".formatted(node);
      large.node(name, node % 97 == 13 ? "silent" : "ready", null, 1 + node % 3);
      for (int number = 0; number < 8; number++) {
        int at = node * 8 + number;
        int use = (int) (50 + 50 * Math.sin(at * 0.7 + round * 0.3));
        Gpu gpu = large.gpu(name, number, "H100", 80, 10 + at % 60, use, 100 + 6 * use);
        if (at % 5 != 0) {
          gpu.shared(100 + at / 6, 20 + at % 50, 10 + at % 40);
        }
      }
    }
    large.counts.put("running", 5000).put("waiting", 312);
    return large.top;
  }

  private void node(String name, String state, String note, int age) {
    nodes
        .addObject()
        .put("name", name)
        .put("state", state)
        .put("note", note)
        .put("cpus", 64)
        .put("freeCpus", 22)
        .put("memoryBytes", 512 * GIB)
        .put("freeMemoryBytes", 201 * GIB)
        .put("tasks", 5)
        .put("load1", 31.5)
        .put("sampledAt", now.minusSeconds(age).toString());
  }

  private Gpu gpu(
      String node, int number, String model, long total, long used, int use, double watts) {
    ObjectNode gpu =
        gpus.addObject()
            .put("node", node)
            .put("number", Integer.toString(number))
            .put("uuid", "GPU-%08x-4b1c-9d2e-77aa-%012x".formatted(node.hashCode(), number))
            .put("model", "NVIDIA " + model)
            .put("state", "free")
            .put("health", "ok")
            .put("memoryBytes", total * GIB)
            .put("usedBytes", used * GIB)
            .put("freeBytes", (total - used) * GIB)
            .put("otherBytes", 0)
            .put("utilization", use)
            .put("temperatureCelsius", 34 + use / 3)
            .put("powerWatts", watts)
            .put("powerLimitWatts", 700);
    gpu.putArray("holders");
    gpu.putArray("strangers");
    return new Gpu(gpu);
  }

  private record Gpu(ObjectNode json) {
    Gpu shared(long job, long reserved, long used) {
      return holder(job, false, reserved, used);
    }

    Gpu whole(long job, long used) {
      return holder(job, true, json.path("memoryBytes").asLong() / GIB, used);
    }

    private Gpu holder(long job, boolean whole, long reserved, long used) {
      json.put("state", whole ? "taken" : "shared");
      json.withArray("holders")
          .addObject()
          .put("job", job)
          .put("attempt", job + ".0.1")
          .put("whole", whole)
          .put("reservedBytes", reserved * GIB)
          .put("usedBytes", used * GIB);
      return this;
    }

    Gpu others(long used, String command, String user) {
      json.put("otherBytes", used * GIB);
      json.withArray("strangers")
          .addObject()
          .put("pid", 41_337)
          .put("command", command)
          .put("user", user)
          .put("bytes", used * GIB);
      return this;
    }
  }

  private ObjectNode job(long id, String name, String user, String state, long age, String reason) {
    counts.put(state, counts.path(state).asInt() + 1);
    ObjectNode job =
        jobs.addObject()
            .put("id", id)
            .put("name", name)
            .put("user", user)
            .put("state", state)
            .put("tasks", 1)
            .put("submittedAt", now.minusSeconds(age + 40).toString())
            .put("reason", reason.isEmpty() ? null : reason);
    if (state.equals("running")) {
      job.put("startedAt", now.minusSeconds(age).toString());
    }
    return job;
  }

  private void waiting(
      long id, String name, String user, long age, int turn, String reason, long in) {
    job(id, name, user, "waiting", age, reason)
        .put("turn", turn)
        .put("expectedStartAt", now.plusSeconds(in).toString());
  }
}
