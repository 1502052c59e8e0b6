package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Cluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that take more of a GPU than they were promised, over the C driver. */
@Timeout(180)
class OverUseIT {
  private static final int LONG_MILLIS = 600_000;

  @TempDir private Path folder;

  private Cluster service(String... agentOptions) throws IOException {
    Cluster service = new SharedGpus(folder, 1).serve();
    service.agent("n1", agentOptions);
    service.awaitNode("n1", "ready");
    return service;
  }

  /** A job that does not keep to what it was promised. */
  private static long submit(Cluster service, String promised, int mebibytes) throws IOException {
    return service.submit(
        "exec env REMUDA_GPU_MEM_MIB=0 "
            + SharedGpus.command(0, mebibytes, LONG_MILLIS).substring(5),
        "cpus",
        0,
        "gpus",
        1,
        "gpuMem",
        promised);
  }

  private static JsonNode awaitTask(Cluster service, long job, Predicate<JsonNode> what) {
    JsonNode[] task = new JsonNode[1];
    service.await(
        "task of job " + job,
        Duration.ofSeconds(90),
        () -> {
          task[0] = service.client().get("/jobs/" + job).path("attempts").path(0);
          return what.test(task[0]);
        });
    return task[0];
  }

  @Test
  void who_takes_what_a_neighbour_was_promised_is_ended_and_tried_again_with_more()
      throws Exception {
    try (Cluster service = service()) {
      long honest = submit(service, "12GiB", 2 * SharedGpus.GIB);
      service.awaitState(honest, "running");

      long greedy = submit(service, "5GiB", 15 * SharedGpus.GIB);

      awaitTask(service, greedy, task -> task.path("attempt").asInt() > 1);
      assertEquals("running", service.client().get("/jobs/" + honest).path("state").asText());
      String events = service.client().get("/jobs/" + greedy).toString();
      service.client().post("/jobs/" + greedy + "/cancel", null);
      assertTrue(events.contains("was promised"), events);
    }
  }

  @Test
  void where_users_want_it_so_they_are_only_warned() throws Exception {
    try (Cluster service = service("--on-overuse", "warn")) {
      submit(service, "12GiB", 2 * SharedGpus.GIB);

      long greedy = submit(service, "5GiB", 15 * SharedGpus.GIB);

      service.awaitState(greedy, "running");
      service.await(
          "warning",
          Duration.ofSeconds(90),
          () -> service.log(greedy, 0, "err").contains("remuda: this task uses 15.0 GiB of GPU-"));
      assertEquals(1, awaitTask(service, greedy, task -> true).path("attempt").asInt());
    }
  }
}
