package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.testkit.Cluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs that run already and ask for a GPU, over the C driver. */
@Timeout(180)
class LeaseIT {
  private static final String SHORTAGE = "torch.cuda.OutOfMemoryError: CUDA out of memory.";

  /** One service for all tests; those that kill its agent start it again. */
  @TempDir private static Path home;

  private static SharedGpus one;
  private static Cluster common;
  @TempDir private Path folder;
  private Path place;
  private SharedGpus gpus;
  private Cluster service;

  @BeforeAll
  static void serve() throws IOException {
    one = new SharedGpus(home, 1);
    common = serve(one);
  }

  @AfterAll
  static void close() {
    common.close();
  }

  private static Cluster serve(SharedGpus gpus) throws IOException {
    Cluster service = gpus.serve();
    service.agent("n1");
    service.awaitNode("n1", "ready");
    return service;
  }

  @BeforeEach
  void beginWithAnUnusedGpu() throws IOException {
    place = home;
    service = common;
    gpus = one;
    gpus.driver().says("gpus 1", "gpu 0 memory 24576MiB reserved 512MiB");
    service.cli("profiles", "forget", "train");
    service.await(
        "nothing live",
        Duration.ofSeconds(90),
        () -> service.client().get("/jobs").path("jobs").isEmpty());
  }

  private LeasedProgram program() throws IOException {
    return new LeasedProgram(service, place);
  }

  private static void assertState(String expected, JsonNode lease) {
    assertEquals(expected, lease.path("state").asText(), lease::toString);
  }

  @Test
  void who_asks_first_is_served_first_and_a_program_that_is_killed_makes_room() throws Exception {
    try (LeasedProgram first = program();
        LeasedProgram second = program();
        LeasedProgram third = program()) {
      JsonNode held = first.ask("whole", null, 20);
      assertState("running", held);
      assertEquals("GPU-00000001", held.path("devices").get(0).asText().substring(0, 12));
      JsonNode next = second.ask("whole", null, 0);
      JsonNode last = third.ask("whole", null, 0);

      first.kill();

      assertState("running", second.await(next));
      assertState("waiting", third.ask("whole", null, 0));
      JsonNode end = service.awaitEnd(LeasedProgram.id(held));
      assertEquals(
          "its process ended and had not given the lease back", end.path("reason").asText());
      assertState("succeeded", second.giveBack(second.look(next)));
      assertState("running", third.await(last));
    }
  }

  @Test
  void what_a_program_used_is_measured_and_the_next_of_its_type_share() throws Exception {
    try (LeasedProgram first = program();
        LeasedProgram second = program()) {
      JsonNode measured = first.ask("train", "auto", 20);
      assertTrue(measured.path("measuring").asBoolean(), measured::toString);
      JsonNode twin = second.ask("train", "auto", 0);
      String why = "task " + LeasedProgram.id(measured) + ".0 measures what 'train' needs of a GPU";
      service.await(
          "reason", Duration.ofSeconds(90), () -> second.look(twin).toString().contains(why));
      assertEquals(0, first.use(measured, 5 * SharedGpus.GIB, 0.5));
      assertState("succeeded", first.giveBack(measured));

      JsonNode shared = second.await(twin);
      JsonNode too = first.ask("train", "auto", 20);

      for (JsonNode lease : new JsonNode[] {shared, too}) {
        assertState("running", lease);
        assertFalse(lease.path("measuring").asBoolean(), lease::toString);
        long promised = lease.path("gpuMemoryBytes").asLong() >> 20;
        assertTrue(promised >= 5 * SharedGpus.GIB && promised < 6 * SharedGpus.GIB, "" + promised);
      }
    }
  }

  @Test
  void a_program_that_ran_out_of_memory_gets_more_under_the_same_lease() throws Exception {
    try (LeasedProgram program = program()) {
      JsonNode measured = program.ask("train", "auto", 20);
      program.use(measured, 4 * SharedGpus.GIB, 0.5);
      program.giveBack(measured);
      JsonNode small = program.ask("train", "auto", 20);
      assertEquals(1, program.use(small, 5 * SharedGpus.GIB, 0.5));

      JsonNode again = program.fail(small, SHORTAGE);

      assertFalse(again.path("state").asText().equals("failed"), again::toString);
      assertFalse(
          program.fail(small, SHORTAGE).path("state").asText().matches("failed|cancelled"),
          "an answer may be lost");
      JsonNode larger = program.await(small);
      assertState("running", larger);
      assertEquals(2, larger.path("attempt").asInt());
      long before = small.path("gpuMemoryBytes").asLong();
      assertEquals(before * 3 / 2, larger.path("gpuMemoryBytes").asLong(), 1 << 20);
      assertEquals(0, program.use(larger, 5 * SharedGpus.GIB, 0.1));
      assertState("succeeded", program.giveBack(larger));
      JsonNode other = program.ask("other", null, 20);
      JsonNode failed = program.fail(other, "ValueError: no data");
      assertState("failed", failed);
      assertEquals("ValueError: no data", failed.path("cause").asText());
    }
  }

  @Test
  void an_agent_that_is_started_again_knows_what_programs_use() throws Exception {
    try (LeasedProgram holder = program()) {
      JsonNode held = holder.ask("part", "10GiB", 20);
      gpus.driver()
          .says(
              "gpus 1",
              "gpu 0 memory 24576MiB reserved 512MiB",
              "gpu 0 process " + holder.pid() + " 9GiB");
      service.killAgents();
      service.agent("n1");
      service.awaitNode("n1", "ready");
      service.await(
          "free memory",
          Duration.ofSeconds(90),
          () ->
              service.client().get("/nodes").at("/nodes/0/devices/0/freeMemoryBytes").asLong() >> 20
                  == SharedGpus.MEMORY - SharedGpus.RESERVED - 10 * SharedGpus.GIB);
      assertState("succeeded", holder.giveBack(held));
    }
  }

  @Test
  void what_is_given_back_while_the_agent_is_away_is_given_back_when_it_returns() throws Exception {
    try (LeasedProgram holder = program()) {
      JsonNode held = holder.ask("whole", null, 20);
      service.killAgents();
      service.awaitNode("n1", "silent");
      assertState("unknown", holder.giveBack(held));
      service.agent("n1");
      assertEquals("succeeded", service.awaitEnd(LeasedProgram.id(held)).path("state").asText());
    }
  }

  @Test
  void a_lease_that_is_cancelled_ends_its_program() throws Exception {
    try (LeasedProgram program = program()) {
      JsonNode held = program.ask("whole", null, 20);

      service.client().post("/jobs/" + LeasedProgram.id(held) + "/cancel", null);

      assertEquals(15, program.awaitEnd());
      assertEquals("cancelled", service.awaitEnd(LeasedProgram.id(held)).path("state").asText());
    }
  }

  @Test
  void a_process_that_is_bound_to_a_gpu_waits_for_that_while_others_are_free() throws Exception {
    gpus = new SharedGpus(folder, 2);
    try (Cluster own = serve(gpus)) {
      place = folder;
      service = own;
      isBoundToTheSecond();
    }
  }

  private void isBoundToTheSecond() throws Exception {
    String second = service.client().get("/nodes").at("/nodes/0/devices/1/uuid").asText();
    try (LeasedProgram first = program();
        LeasedProgram next = program();
        LeasedProgram last = program()) {
      JsonNode held = first.askFor(second, null, 20);
      assertState("running", held);
      assertEquals(second, held.path("devices").get(0).asText());

      JsonNode waits = next.askFor(second, null, 0);

      assertState("waiting", waits);
      String why = "n1: no room on " + second + ", and its process can use no other GPU";
      service.await(
          "reason", Duration.ofSeconds(90), () -> next.look(waits).toString().contains(why));
      assertTrue(service.cli("explain", "" + LeasedProgram.id(waits)).out().contains(why));
      JsonNode other = last.ask("any", null, 20);
      assertState("running", other);
      assertFalse(second.equals(other.path("devices").get(0).asText()), other::toString);
      assertState("succeeded", last.giveBack(other));
      assertState("waiting", next.look(waits));
      assertState("succeeded", first.giveBack(held));
      assertEquals(second, next.await(waits).path("devices").get(0).asText());
      RestFailureException unknown =
          assertThrows(RestFailureException.class, () -> last.askFor("GPU-elsewhere", null, 20));
      assertTrue(
          unknown.getMessage().contains("n1: does not have GPU-elsewhere"), unknown.getMessage());
    }
  }

  @Test
  void what_a_program_still_has_of_its_gpu_does_not_keep_it_waiting() throws Exception {
    try (LeasedProgram program = program();
        LeasedProgram other = program()) {
      gpus.driver()
          .says(
              "gpus 1",
              "gpu 0 memory 24576MiB reserved 512MiB",
              "gpu 0 process " + program.pid() + " 14GiB");
      String device = service.client().get("/nodes").at("/nodes/0/devices/0/uuid").asText();
      service.await(
          "its memory in use",
          Duration.ofSeconds(90),
          () ->
              service.client().get("/nodes").at("/nodes/0/devices/0/freeMemoryBytes").asLong() >> 20
                  == SharedGpus.MEMORY - SharedGpus.RESERVED - 14 * SharedGpus.GIB);

      assertState("waiting", other.askFor(device, "15GiB", 0));
      assertState("running", program.askFor(device, "15GiB", 20));
    }
  }

  @Test
  void what_is_larger_than_every_gpu_is_refused_and_so_is_a_wrong_request() throws Exception {
    try (LeasedProgram program = program()) {
      RestFailureException tooLarge =
          assertThrows(RestFailureException.class, () -> program.ask("huge", "100GiB", 20));
      assertTrue(tooLarge.getMessage().contains("its largest GPU has 2"), tooLarge.getMessage());
      RestFailureException noSize =
          assertThrows(RestFailureException.class, () -> program.ask("x", "much", 20));
      assertTrue(noSize.getMessage().contains("gpuMem"), noSize.getMessage());
      RestFailureException noType =
          assertThrows(RestFailureException.class, () -> program.ask(null, "auto", 20));
      assertTrue(noType.getMessage().contains("type"), noType.getMessage());
    }
  }
}
