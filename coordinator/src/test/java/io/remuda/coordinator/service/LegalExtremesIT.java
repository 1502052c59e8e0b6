package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server of default memory serves or refuses every legal request, and serves other users
 * meanwhile. Attack H2.
 */
@Tag("attack")
@Tag("attack-bad-request")
@Tag("long-attack")
class LegalExtremesIT {

  private static final int MILLION = 1_000_000;

  /** The limit for answers to other users: the aim is 1 s, the rest is for a busy machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @TempDir private Path folder;
  private ServiceProcess service;

  @BeforeEach
  void start() throws IOException {
    service = new ServiceProcess(Installation.find(), folder.resolve("h"), Map.of());
    service.serve("--cpus", "2");
  }

  @AfterEach
  void end() {
    service.close();
  }

  /** Asks for the jobs all the time, and notes how long the slowest answer took. */
  private final class Neighbour implements AutoCloseable {
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong slowest = new AtomicLong();
    private final List<String> faults = new ArrayList<>();
    private final Thread thread = new Thread(this::ask, "neighbour");

    Neighbour() {
      thread.start();
    }

    private void ask() {
      try {
        RestClient client = service.client();
        while (!over.get()) {
          long begun = System.nanoTime();
          client.get("/jobs");
          client.get("/nodes");
          slowest.accumulateAndGet(System.nanoTime() - begun, Math::max);
          Thread.sleep(20);
        }
      } catch (IOException | InterruptedException fault) {
        faults.add(fault.toString());
      }
    }

    @Override
    public void close() throws InterruptedException {
      over.set(true);
      thread.join();
      long millis = TimeUnit.NANOSECONDS.toMillis(slowest.get());
      System.out.println("the slowest answer to others took " + millis + " ms");
      assertEquals(List.of(), faults);
      assertTrue(millis < PATIENCE.toMillis(), "an answer took " + millis + " ms");
    }
  }

  private long array(boolean hold) throws IOException {
    return service.submit("sleep 600", "count", MILLION, "hold", hold, "cpus", 1);
  }

  /** Each could be placed at once. */
  @Test
  @Timeout(300)
  void an_array_of_a_million_that_needs_nothing_is_served_and_cancelled() throws Exception {
    try (Neighbour neighbour = new Neighbour()) {
      long job = service.submit("exec sleep 600", "count", MILLION, "cpus", 0);
      service.await(
          "as many tasks as a node may have",
          Duration.ofSeconds(60),
          () -> count(job, "running") >= 1000);
      act(job, "cancel");
      String end = service.awaitEnd(job).path("state").asText();
      assertEquals("cancelled", end, service::describe);
    }
    assertNoError();
  }

  private void act(long job, String action) throws IOException {
    service.client().post("/jobs/" + job + "/" + action, null);
  }

  private int count(long job, String state) throws IOException {
    return service.client().get("/jobs/" + job + "/explain").path("counts").path(state).asInt();
  }

  private void assertNoError() throws IOException {
    String said = Files.readString(folder.resolve("serve.out"));
    assertFalse(said.contains("OutOfMemoryError"), said);
  }

  @Test
  @Timeout(300)
  void arrays_of_a_million_are_held_released_and_cancelled_while_others_are_served()
      throws Exception {
    try (Neighbour neighbour = new Neighbour()) {
      long held = array(true);
      act(held, "release");
      assertEquals(
          MILLION, count(held, "waiting") + count(held, "starting") + count(held, "running"));
      service.await("two tasks", PATIENCE, () -> count(held, "running") == 2);
      act(held, "hold");
      assertEquals(MILLION - 2, count(held, "held"));
      act(held, "release");
      act(held, "cancel");
      service.awaitState(held, "cancelled");
      long waiting = array(false);
      act(waiting, "hold");
      act(waiting, "cancel");
      assertEquals("cancelled", service.awaitEnd(waiting).path("state").asText());
      assertEquals(
          "cancelled",
          service
              .client()
              .get("/jobs/" + waiting + "/tasks?first=" + (MILLION - 1) + "&limit=5")
              .at("/tasks/0/state")
              .asText());
    }
    assertNoError();
  }

  @Test
  @Timeout(300)
  void the_same_small_request_again_and_again_is_refused_in_words_before_it_harms()
      throws Exception {
    Map<String, Object> small = Map.of("argv", List.of("x"), "count", MILLION, "hold", true);
    try (Neighbour neighbour = new Neighbour()) {
      for (int i = 0; i < 20; i++) {
        service.client().post("/jobs", small);
      }
      RestFailureException no =
          assertThrows(RestFailureException.class, () -> service.client().post("/jobs", small));
      assertEquals(429, no.status());
      assertTrue(no.getMessage().contains("would have 21000000 tasks"), no.getMessage());
      act(1, "cancel");
      service.awaitEnd(1);
      service.client().post("/jobs", small);
    }
    assertNoError();
  }

  @Test
  @Timeout(300)
  void ten_times_a_million_tasks_are_kept_over_a_kill_and_can_be_cancelled() throws Exception {
    List<Long> jobs = new ArrayList<>();
    try (Neighbour neighbour = new Neighbour()) {
      for (int i = 0; i < 10; i++) {
        jobs.add(array(true));
      }
      for (long job : jobs) {
        act(job, "release");
      }
    }
    service.member(Role.COORDINATOR).signal("KILL");
    service.awaitServerEnd();
    service.serve("--cpus", "2");
    try (Neighbour neighbour = new Neighbour()) {
      long quick = service.submit("true", "priority", 1, "cpus", 0);
      for (long job : jobs) {
        act(job, "cancel");
      }
      for (long job : jobs) {
        assertEquals("cancelled", service.awaitEnd(job).path("state").asText());
      }
      assertEquals("succeeded", service.awaitEnd(quick).path("state").asText());
    }
    assertNoError();
  }
}
