package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job service: what users do. */
@Timeout(240)
class ServiceIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private static Path shared;
  private static Cluster service;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws IOException {
    service = new Cluster(Installation.find(), shared.resolve("h"), Map.of());
    service.serve("--simulate-gpus", "h200:2");
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private static List<String> numbers(int last) {
    List<String> all = new ArrayList<>();
    for (int i = 1; i <= last; i++) {
      all.add(Integer.toString(i));
    }
    return all;
  }

  @Test
  void a_command_runs_exactly_as_asked_and_its_output_and_exit_code_are_kept() throws Exception {
    Files.createDirectories(folder.resolve("w"));
    Map<String, Object> job =
        service.job(
            "echo \"$0|$A|$PWD|$(umask)|$REMUDA_TASK|$CUDA_VISIBLE_DEVICES|${HOME-none}\";"
                + " echo to stderr >&2; exit 3",
            "workdir",
            folder.resolve("w").toString(),
            "umask",
            "027");
    job.put("env", Map.of("A", "b  c", "PATH", System.getenv("PATH")));
    long id = service.client().post("/jobs", job).path("ids").path(0).asLong();
    JsonNode end = service.awaitEnd(id);
    assertEquals("failed", end.path("state").asText());
    assertEquals(3, end.path("exitCode").asInt());
    assertEquals("exit code 3: to stderr", end.path("reason").asText());
    assertEquals(
        "/bin/sh|b  c|" + folder.resolve("w") + "|0027|" + id + ".0||none\n",
        service.log(id, 0, "out"));
    assertEquals("to stderr\n", service.log(id, 0, "err"));
  }

  @Test
  void run_is_like_typing_the_command() throws Exception {
    Result good = service.cli("run", "--", "sh", "-c", "echo one; echo two >&2; printf three");
    assertEquals(new Result(0, "one\nthree", "two\n"), good);
    Result bad = service.cli("run", "--", "sh", "-c", "exit 41");
    assertEquals(new Result(41, "", ""), bad);
    Result killed = service.cli("run", "--", "sh", "-c", "kill -9 $$");
    assertEquals(137, killed.code());
    Result missing = service.cli("run", "--", "/no/such/program");
    assertEquals(127, missing.code());
    assertTrue(missing.err().contains("/no/such/program"), missing.err());
  }

  @Test
  void the_verbs_of_the_command_line_agree_with_each_other() throws Exception {
    Result submitted = service.cli("submit", "--count", "3", "--cpus", "0.5", "--", "echo", "hi");
    String id = submitted.out().strip();
    assertEquals(id + "\n", submitted.out());
    assertEquals(0, service.cli("wait", id).code());
    assertEquals("hi\n", service.cli("logs", id + ".2").out());
    JsonNode alone = service.client().get("/jobs/" + id + "?limit=0");
    assertEquals(0, alone.path("attempts").size());
    assertTrue(alone.path("moreAttempts").asBoolean());
    Result state = service.cli("state", "--all", "--json");
    JsonNode jobs = io.remuda.coordinator.client.RestClient.JSON.readTree(state.out());
    JsonNode newest = jobs.get(jobs.size() - 1);
    assertEquals(id, newest.path("id").asText());
    assertEquals("succeeded", newest.path("state").asText());
    assertEquals(3, newest.path("tasks").asInt());
    String held = service.cli("submit", "--hold", "--", "true").out().strip();
    assertTrue(service.cli("explain", held).out().contains("on hold"));
    assertEquals(0, service.cli("release", held).code());
    assertEquals(0, service.cli("wait", held).code());
    assertEquals(1, service.cli("cancel", held).code());
    assertEquals(1, service.cli("show", "7777").code());
    assertEquals(2, service.cli("submit", "--mem", "lots", "--", "true").code());
    assertEquals(2, service.cli("submit", "--gpus", "1000", "--", "true").code());
    assertTrue(service.cli("nodes").out().contains("ready"));
  }

  @Test
  void cancel_ends_the_whole_tree_of_a_task() throws Exception {
    long id = service.submit("setsid sleep 600 & sleep 600");
    service.awaitState(id, "running");
    service.await(
        "both sleeps",
        SOON,
        () ->
            service.members().stream().filter(m -> m.commandLine().equals("sleep 600")).count()
                == 2);
    service.client().post("/jobs/" + id + "/cancel", null);
    assertEquals("cancelled", service.awaitEnd(id).path("state").asText());
    assertTrue(
        service.members().stream().noneMatch(m -> m.commandLine().contains("sleep 600")),
        service::describe);
  }

  @Test
  void jobs_follow_each_other_and_a_job_that_can_never_start_is_cancelled() throws Exception {
    JsonNode ids =
        service
            .client()
            .post(
                "/jobs",
                Map.of(
                    "jobs",
                    List.of(
                        service.job("echo a >> " + folder.resolve("order"), "name", "first"),
                        service.job(
                            "sleep 0.3; echo b >> " + folder.resolve("order") + "; exit 1",
                            "name",
                            "second",
                            "after",
                            List.of("first")),
                        service.job("echo never", "after", List.of("second")),
                        service.job(
                            "echo c >> " + folder.resolve("order"),
                            "after",
                            List.of("second:fail")))))
            .path("ids");
    assertEquals("succeeded", service.awaitEnd(ids.get(3).asLong()).path("state").asText());
    assertEquals(List.of("a", "b", "c"), Files.readAllLines(folder.resolve("order")));
    JsonNode never = service.awaitEnd(ids.get(2).asLong());
    assertEquals("cancelled", never.path("state").asText());
    assertEquals("job " + ids.get(1) + " failed", never.path("reason").asText());
  }

  @Test
  void a_time_limit_and_retries_are_kept() throws Exception {
    long slow = service.submit("sleep 600", "timeLimit", "1s");
    Path file = folder.resolve("tries");
    long third =
        service.submit(
            "echo $REMUDA_ATTEMPT >> " + file + "; [ $REMUDA_ATTEMPT = 3 ]", "retries", 2);
    JsonNode end = service.awaitEnd(slow);
    assertEquals("failed", end.path("state").asText());
    assertEquals("time limit of 1 s passed", end.path("reason").asText());
    assertEquals("succeeded", service.awaitEnd(third).path("state").asText());
    assertEquals(numbers(3), Files.readAllLines(file));
  }

  @Test
  void a_task_that_takes_more_memory_than_it_has_stated_is_tried_again_with_more()
      throws Exception {
    Path file = folder.resolve("memory");
    long greedy =
        service.submit(
            "echo $REMUDA_MEM_MIB >> "
                + file
                + "; [ $REMUDA_MEM_MIB -ge 120 ] || { head -c 300m /dev/zero; sleep 300; }"
                + " | tail -n 1",
            "mem",
            "64MiB");
    assertEquals("succeeded", service.awaitEnd(greedy).path("state").asText());
    assertEquals(List.of("64", "96", "144"), Files.readAllLines(file));
  }

  @Test
  void a_task_of_a_gang_that_takes_more_memory_than_it_has_stated_ends_with_that_cause()
      throws Exception {
    long greedy =
        service.submit(
            "{ head -c 200m /dev/zero; sleep 300; } | tail -n 1", "mem", "64MiB", "gang", true);
    JsonNode end = service.awaitEnd(greedy);
    assertEquals("failed", end.path("state").asText());
    assertTrue(
        end.path("reason").asText().endsWith("more than its --mem of 64 MiB"), end.toString());
  }

  @Test
  void nobody_without_a_token_gets_anything() throws Exception {
    var access = service.client().access();
    var stranger =
        new io.remuda.coordinator.client.RestClient(access.forUser("eve", "not-the-token"));
    RestFailureException no =
        org.junit.jupiter.api.Assertions.assertThrows(
            RestFailureException.class, () -> stranger.get("/jobs"));
    assertEquals(401, no.status());
    assertFalse(
        Files.getPosixFilePermissions(service.home().resolve("access.json"))
            .contains(java.nio.file.attribute.PosixFilePermission.OTHERS_READ));
  }

  @Test
  @Tag("attack")
  @Tag("attack-kill-storm")
  void a_repeated_submission_is_known_whatever_has_become_of_what_it_follows() throws IOException {
    long first = service.submit("true", "hold", true);
    Object[] fields = {"clientKey", "k", "after", List.of(first + ":ok")};
    long follower = service.submit("true", fields);
    service.client().post("/jobs/" + first + "/cancel", null);
    service.awaitEnd(first);

    assertEquals(follower, service.submit("true", fields));
  }

  @Test
  void tasks_share_a_gpu_by_the_memory_that_they_state() throws Exception {
    long parts =
        service.submit(
            "echo $CUDA_VISIBLE_DEVICES; until [ -e explained ]; do sleep 0.1; done",
            "count",
            3,
            "cpus",
            0.1,
            "gpus",
            1,
            "gpuMem",
            "60GiB");
    service.await(
        "three that run",
        SOON,
        () -> {
          int running = 0;
          for (JsonNode task : service.client().get("/jobs/" + parts + "/tasks").path("tasks")) {
            running += task.path("state").asText().equals("running") ? 1 : 0;
          }
          return running == 3;
        });
    long whole = service.submit("true", "cpus", 0.1, "gpus", 2);
    JsonNode why = service.client().get("/jobs/" + whole + "/explain");
    assertEquals("too-few-free-gpus", why.path("reasons").path(0).path("reason").asText());
    Files.createFile(service.home().resolveSibling("explained"));
    service.awaitEnd(parts);
    assertEquals("succeeded", service.awaitEnd(whole).path("state").asText());
    assertEquals(service.log(parts, 0, "out"), service.log(parts, 1, "out"));
    assertFalse(service.log(parts, 0, "out").equals(service.log(parts, 2, "out")));
  }
}
