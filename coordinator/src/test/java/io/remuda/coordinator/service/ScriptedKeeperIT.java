package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.main.RunningAgent;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.scripted.ScriptedKeeper;
import io.remuda.coordinator.testkit.scripted.ScriptedTask;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A service whose keeper is scripted: what it sees of tasks is what it sees of processes. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ScriptedKeeperIT {

  @TempDir private static Path folder;
  private static Cluster service;
  private static ScriptedKeeper keeper;

  @BeforeAll
  static void start() throws IOException {
    service =
        new Cluster(Installation.find(), folder.resolve("home"), Map.of()).withScriptedKeepers();
    service.serve("--simulate-gpus", "h200:2", "--cpus", "4");
    keeper = service.keeper("vm");
  }

  @AfterAll
  static void end() {
    service.close();
  }

  @Test
  void a_task_is_ordered_with_all_that_a_process_would_get() throws IOException {
    long job = service.submit("exit 3", "nodes", List.of("vm"), "gpus", 1, "name", "ordered");
    ScriptedTask task = keeper.await(job);
    assertEquals(List.of("/bin/sh", "-c", "exit 3"), task.argv());
    assertEquals(folder.toString(), task.workingFolder());
    assertEquals("ordered", task.environment().get("REMUDA_JOB_NAME"));
    assertEquals(1, task.devices().size());
    service.awaitState(job, "running");
    keeper.prints(job + ".0", "last words\n");
    task.printsError("no more\n");
    keeper.end(job, 3);
    JsonNode ended = service.awaitEnd(job);
    assertEquals("failed", ended.path("state").asText());
    assertEquals("last words\n", service.log(job, 0, "out"));
    assertEquals("no more\n", service.log(job, 0, "err"));
    assertEquals(List.of(), service.members());
  }

  @Test
  void a_cancelled_task_gets_a_signal_and_dies_of_it() throws IOException {
    long job = service.submit("sleep 99", "nodes", List.of("vm"));
    ScriptedTask task = keeper.await(job);
    service.client().post("/jobs/" + job + "/cancel", Map.of());
    assertEquals("cancelled", service.awaitEnd(job).path("state").asText());
    assertEquals(List.of(15), task.signals());
    assertTrue(
        keeper.orders().contains("kill " + job + ".0.1 3600000"), keeper.orders().toString());
  }

  @Test
  void a_task_that_ignores_the_signal_is_killed_after_its_grace() throws IOException {
    long job = service.submit("sleep 99", "nodes", List.of("vm"), "grace", "200ms");
    keeper.ignoresTerm(job + ".0");
    ScriptedTask task = keeper.await(job);
    service.client().post("/jobs/" + job + "/cancel", Map.of());
    assertEquals("cancelled", service.awaitEnd(job).path("state").asText());
    assertEquals(List.of(15, 9), task.signals());
  }

  @Test
  void a_refused_task_ends_with_the_reason() throws IOException {
    long job = service.submit("exit 0", "nodes", List.of("vm"), "hold", true);
    keeper.refuses(job + ".0", RefusalCode.CANNOT_RUN, "no such program");
    service.client().post("/jobs/" + job + "/release", Map.of());
    JsonNode ended = service.awaitEnd(job);
    assertEquals("failed", ended.path("state").asText());
    assertTrue(ended.toString().contains("no such program"), ended.toString());
  }

  @Test
  void a_killed_agent_is_replaced_and_the_task_goes_on() throws IOException {
    RunningAgent agent = service.agent("other");
    service.awaitNode("other", "ready");
    long job = service.submit("sleep 99", "nodes", List.of("other"));
    service.keeper("other").await(job);
    service.awaitState(job, "running");
    agent.kill();
    service.agent("other");
    service.keeper("other").end(job, 0);
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
    assertEquals(1, service.keeper("other").started().size());
  }

  @Test
  void the_tasks_of_a_keeper_that_dies_begin_again() throws IOException {
    service.agent("third");
    service.awaitNode("third", "ready");
    long job = service.submit("sleep 99", "nodes", List.of("third"), "retries", 1);
    ScriptedKeeper third = service.keeper("third");
    third.await(job + ".0.1");
    service.awaitState(job, "running");
    third.dies();
    third.end(job + ".0.2", 0);
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
  }
}
