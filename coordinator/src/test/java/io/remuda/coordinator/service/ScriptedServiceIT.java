package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.main.RunningAgent;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.coordinator.testkit.scripted.ScriptedKeeper;
import io.remuda.coordinator.testkit.scripted.ScriptedTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What takes a service seconds to days, with scripted keepers and moved time. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ScriptedServiceIT {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir private static Path folder;
  private static Cluster service;

  @BeforeAll
  static void start() throws IOException {
    Path home = Files.createDirectory(folder.resolve("home"));
    Files.writeString(
        home.resolve("remuda.conf"),
        "remuda.coordinator.retry { first-delay = 10s, max-delay = 100s }\n");
    service = new Cluster(Installation.find(), home, Map.of()).withManualTime();
    service.serve("--cpus", "2");
  }

  @AfterAll
  static void end() {
    service.close();
  }

  /** Starts an agent whose node only jobs that name it get in these tests. */
  private static RunningAgent node(String name) throws IOException {
    RunningAgent agent = service.agent(name, "--cpus", "1");
    service.awaitNode(name, "ready");
    return agent;
  }

  private static long submit(String node, Object... fields) throws IOException {
    Object[] all = new Object[fields.length + 2];
    System.arraycopy(fields, 0, all, 2, fields.length);
    all[0] = "nodes";
    all[1] = List.of(node);
    return service.submit("work", all);
  }

  private static String state(long job) throws IOException {
    return service.client().get("/jobs/" + job).path("state").asText();
  }

  private static void control(long job, String verb) throws IOException {
    service.client().post("/jobs/" + job + "/" + verb, Map.of());
  }

  @Test
  void a_job_that_begins_later_starts_at_that_time_and_not_before() throws IOException {
    node("begin");
    long job = submit("begin", "begin", service.now().plusSeconds(3600).toString());
    service.passes(Duration.ofMinutes(59), Duration.ofMinutes(1));
    assertEquals("submitted", state(job));
    assertEquals(List.of(), service.keeper("begin").started());
    service.passes(Duration.ofMinutes(1).plus(SECOND));
    service.keeper("begin").end(job, 0);
    service.awaitState(job, "succeeded");
  }

  @Test
  void a_task_past_its_time_limit_gets_its_signal_then_ends() throws IOException {
    node("limit");
    long job = submit("limit", "timeLimit", "10m", "signal", "USR1@2m", "grace", "20s");
    ScriptedKeeper keeper = service.keeper("limit");
    keeper.ignores(job + ".0", 10, 15);
    ScriptedTask task = keeper.await(job);
    service.awaitState(job, "running");
    service.passes(Duration.ofMinutes(7));
    assertEquals(List.of(), task.signals());
    service.passes(Duration.ofMinutes(2));
    assertEquals(List.of(10), task.signals());
    service.passes(Duration.ofMinutes(1).plusSeconds(5));
    assertEquals(List.of(10, 15), task.signals());
    service.passes(Duration.ofSeconds(20));
    assertEquals(List.of(10, 15, 9), task.signals());
    assertTrue(service.awaitEnd(job).toString().contains("time limit"));
  }

  @Test
  void many_tasks_end_by_one_change_and_one_line_and_many_jobs_are_held_so() throws IOException {
    node("many");
    long job = submit("many", "count", 30);
    String tasks = job + ".10-29";
    Result all = service.cli("cancel", "--yes", "--reason", "a typo", tasks);
    assertEquals(new Result(0, "20 tasks of job " + job + " are cancelled\n", ""), all);
    Result again = service.cli("cancel", "--yes", tasks);
    assertEquals(new Result(1, "", "remuda: 20 had ended before\n"), again);
    long first = job + 1;
    for (int i = 0; i < 12; i++) {
      submit("many", "name", "held");
    }
    String jobs = first + "-" + (first + 11);
    assertEquals(new Result(0, "12 jobs are on hold\n", ""), service.cli("hold", jobs));
    assertEquals("held", state(first + 11));
    assertEquals(
        new Result(0, "12 jobs are cancelled\n", ""), service.cli("cancel", "--yes", jobs));
    assertEquals("cancelled", state(first));
    control(job, "cancel");
  }

  @Test
  void the_pause_before_each_retry_is_longer() throws IOException {
    node("retry");
    ScriptedKeeper keeper = service.keeper("retry");
    long job = submit("retry", "retries", 3);
    for (int pause : List.of(10, 20, 40)) {
      keeper.end(job, 1);
      service.await("the end of an attempt", PATIENCE, () -> !state(job).equals("running"));
      int seconds = secondsToStart(keeper);
      assertTrue(seconds >= pause && seconds < 2 * pause, seconds + " s in place of " + pause);
      service.awaitState(job, "running");
    }
    keeper.end(job, 1);
    assertEquals("failed", service.awaitEnd(job).path("state").asText());
    assertEquals(4, keeper.started().size());
  }

  /** Lets time pass until something runs, and returns how much it was. */
  private static int secondsToStart(ScriptedKeeper keeper) {
    int seconds = 0;
    while (keeper.running().isEmpty() && seconds < 200) {
      service.passes(SECOND);
      seconds++;
    }
    return seconds;
  }

  @Test
  void a_preemptible_task_leaves_for_one_of_higher_priority_once_it_may_be_asked()
      throws IOException {
    node("preempt");
    ScriptedKeeper keeper = service.keeper("preempt");
    long low = submit("preempt", "preemptible", true, "preemptAfter", "5m");
    ScriptedTask first = keeper.await(low);
    service.awaitState(low, "running");
    long high = submit("preempt", "priority", 5);
    service.passes(Duration.ofMinutes(4));
    assertEquals(List.of(), first.signals());
    service.passes(Duration.ofMinutes(1).plusSeconds(2));
    keeper.await(high);
    assertEquals(List.of(15), first.signals());
    assertEquals(List.of("spawn " + low + ".0.1", "spawn " + high + ".0.1"), spawns(keeper));
    keeper.end(high, 0);
    service.awaitEnd(high);
    keeper.end(low, 0);
    assertEquals("succeeded", service.awaitEnd(low).path("state").asText());
  }

  private static List<String> spawns(ScriptedKeeper keeper) {
    return keeper.orders().stream().filter(order -> order.startsWith("spawn")).toList();
  }

  @Test
  void a_drained_node_gets_no_task_and_a_requeued_one_waits_for_it() throws IOException {
    node("drain");
    ScriptedKeeper keeper = service.keeper("drain");
    long job = submit("drain");
    keeper.await(job);
    service.awaitState(job, "running");
    service.client().post("/nodes/drain/drain", Map.of());
    control(job, "requeue");
    service.awaitState(job, "waiting");
    service.passes(Duration.ofMinutes(5));
    assertEquals("waiting", state(job));
    assertEquals(1, keeper.started().size());
    service.client().post("/nodes/drain/resume", Map.of());
    keeper.end(job, 0);
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
  }

  @Test
  void a_restartable_task_of_a_lost_agent_ends_at_its_contact_deadline_and_runs_elsewhere()
      throws IOException {
    RunningAgent agent = node("lost");
    node("kept");
    service.client().post("/nodes/kept/drain", Map.of());
    long job = service.submit("work", "nodes", List.of("lost", "kept"), "retries", 1);
    ScriptedTask task = service.keeper("lost").await(job);
    service.awaitState(job, "running");
    service.client().post("/nodes/kept/resume", Map.of());
    assertEquals(Duration.ofMinutes(5), task.contact());
    agent.kill();
    service.passes(Duration.ofMinutes(4));
    assertTrue(task.isRunning());
    service.passes(Duration.ofMinutes(2));
    assertEquals(List.of(15), task.signals());
    service.keeper("kept").end(job, 0);
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
  }
}
