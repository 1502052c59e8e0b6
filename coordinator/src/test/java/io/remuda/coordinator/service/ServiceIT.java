package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestFailure;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.ServiceProcess.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job service of real processes: what users do, and what dies under it. */
class ServiceIT {
  private static final Installation INSTALLATION = Installation.find();
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir private Path folder;
  private ServiceProcess service;

  @BeforeEach
  void make() {
    service = new ServiceProcess(INSTALLATION, folder.resolve("h"), Map.of());
  }

  @AfterEach
  void end() {
    service.close();
  }

  private void kill(Role... roles) {
    List<Member> victims = new ArrayList<>();
    for (Role role : roles) {
      victims.add(service.member(role));
    }
    victims.forEach(victim -> victim.signal("KILL"));
    service.await(
        "death of " + victims, SOON, () -> service.members().stream().noneMatch(victims::contains));
  }

  /** A task that notes each of its seconds in a file, so that a second one would be seen. */
  private String ticks(Path file, int seconds, int code) {
    return "for i in $(seq "
        + seconds
        + "); do echo $i | tee -a "
        + file
        + "; sleep 1; done; exit "
        + code;
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
    service.serve();
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
    service.serve();
    Result good = service.cli("run", "--", "sh", "-c", "echo one; echo two >&2; printf three");
    assertEquals(new Result(0, "one\nthree", "two\n"), good);
    Result bad = service.cli("run", "--", "sh", "-c", "exit 41");
    assertEquals(new Result(41, "", ""), bad);
    Result killed = service.cli("run", "--", "sh", "-c", "kill -9 $$");
    assertEquals(137, killed.code());
    Result missing = service.cli("run", "--", "/no/such/program");
    assertEquals(1, missing.code());
    assertTrue(missing.err().contains("/no/such/program"), missing.err());
  }

  @Test
  void run_without_a_server_starts_one_for_itself() throws Exception {
    Result result = service.cli("run", "--cpus", "0.1", "--", "echo", "here");
    assertEquals(new Result(0, "here\n", ""), result);
    assertEquals(0, service.cli("run", "--", "true").code());
  }

  @Test
  void the_verbs_of_the_command_line_agree_with_each_other() throws Exception {
    service.serve();
    Result submitted = service.cli("submit", "--count", "3", "--cpus", "0.5", "--", "echo", "hi");
    assertEquals("1\n", submitted.out());
    assertEquals(0, service.cli("wait", "1").code());
    assertEquals("hi\n", service.cli("logs", "1.2").out());
    Result state = service.cli("state", "--all", "--json");
    JsonNode jobs = io.remuda.coordinator.client.RestClient.JSON.readTree(state.out());
    assertEquals(1, jobs.size());
    assertEquals("succeeded", jobs.get(0).path("state").asText());
    assertEquals(3, jobs.get(0).path("tasks").asInt());
    assertEquals("2\n", service.cli("submit", "--hold", "--", "true").out());
    assertTrue(service.cli("explain", "2").out().contains("on hold"));
    assertEquals(0, service.cli("release", "2").code());
    assertEquals(0, service.cli("wait", "2").code());
    assertEquals(1, service.cli("cancel", "2").code());
    assertEquals(1, service.cli("show", "77").code());
    assertEquals(2, service.cli("submit", "--mem", "lots", "--", "true").code());
    assertEquals(2, service.cli("submit", "--gpus", "1000", "--", "true").code());
    assertTrue(service.cli("nodes").out().contains("ready"));
  }

  @Test
  void a_task_outlives_the_server_and_the_agent_and_runs_once() throws Exception {
    service.serve();
    Path file = folder.resolve("ticks");
    long id = service.submit(ticks(file, 12, 5));
    service.awaitState(id, "running");
    kill(Role.COORDINATOR);
    service.serve();
    assertEquals("running", service.client().get("/jobs/" + id).path("state").asText());
    kill(Role.AGENT);
    JsonNode end = service.awaitEnd(id);
    assertEquals("failed", end.path("state").asText(), end::toString);
    assertEquals(5, end.path("exitCode").asInt());
    assertEquals(numbers(12), Files.readAllLines(file));
    assertEquals(String.join("\n", numbers(12)) + "\n", service.log(id, 0, "out"));
  }

  @Test
  void an_end_that_nobody_saw_is_learned_afterwards() throws Exception {
    service.serve();
    Path file = folder.resolve("ticks");
    long id = service.submit(ticks(file, 3, 7));
    service.awaitState(id, "running");
    kill(Role.COORDINATOR, Role.AGENT);
    service.await("the keeper's end", SOON, () -> service.members().isEmpty());
    assertEquals(numbers(3), Files.readAllLines(file));
    service.serve();
    JsonNode end = service.awaitEnd(id);
    assertEquals(7, end.path("exitCode").asInt(), end::toString);
    assertEquals(numbers(3), Files.readAllLines(file));
  }

  @Test
  void a_server_told_to_end_leaves_its_tasks_and_the_next_one_takes_them_over() throws Exception {
    service.serve();
    String before = service.client().access().rest();
    long id = service.submit("sleep 8; echo survived");
    service.awaitState(id, "running");
    service.member(Role.COORDINATOR).signal("TERM");
    assertEquals(0, service.awaitServerEnd());
    service.await(
        "end of the agent",
        SOON,
        () -> service.members().stream().noneMatch(member -> member.role() == Role.AGENT));
    service.serve();
    assertEquals(before, service.client().access().rest(), "the port is kept");
    assertEquals("succeeded", service.awaitEnd(id).path("state").asText());
    assertEquals("survived\n", service.log(id, 0, "out"));
  }

  @Test
  void stop_ends_what_runs_and_keeps_what_waits() throws Exception {
    service.serve("--cpus", "1");
    long runs = service.submit("sleep 600");
    long waits = service.submit("echo later");
    service.awaitState(runs, "running");
    assertEquals(0, service.cli("stop").code());
    assertEquals(0, service.awaitServerEnd());
    service.await("the end of all", SOON, () -> service.members().isEmpty());
    service.serve("--cpus", "1");
    assertEquals("cancelled", service.awaitEnd(runs).path("state").asText());
    assertEquals("succeeded", service.awaitEnd(waits).path("state").asText());
  }

  @Test
  void cancel_ends_the_whole_tree_of_a_task() throws Exception {
    service.serve();
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
    service.serve();
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
    service.serve();
    long slow = service.submit("sleep 600", "timeLimit", "1s");
    Path file = folder.resolve("tries");
    long third =
        service.submit(
            "echo $REMUDA_ATTEMPT >> " + file + "; [ $REMUDA_ATTEMPT = 3 ]", "retries", 2);
    JsonNode end = service.awaitEnd(slow);
    assertEquals("failed", end.path("state").asText());
    assertEquals("time limit of 1S passed", end.path("reason").asText());
    assertEquals("succeeded", service.awaitEnd(third).path("state").asText());
    assertEquals(numbers(3), Files.readAllLines(file));
  }

  @Test
  void nobody_without_a_token_gets_anything() throws Exception {
    service.serve("--no-agent");
    var access = service.client().access();
    var stranger =
        new io.remuda.coordinator.client.RestClient(access.forUser("eve", "not-the-token"));
    RestFailure no =
        org.junit.jupiter.api.Assertions.assertThrows(
            RestFailure.class, () -> stranger.get("/jobs"));
    assertEquals(401, no.status());
    assertFalse(
        Files.getPosixFilePermissions(service.home().resolve("access.json"))
            .contains(java.nio.file.attribute.PosixFilePermission.OTHERS_READ));
  }

  @Test
  void a_submission_under_the_same_key_is_one_job() throws IOException {
    try {
      service.serve("--no-agent");
      long first = service.submit("true", "clientKey", "k1");
      assertEquals(first, service.submit("true", "clientKey", "k1"));
      assertEquals(first + 1, service.submit("true", "clientKey", "k2"));
      kill(Role.COORDINATOR);
      service.serve("--no-agent");
      assertEquals(first, service.submit("true", "clientKey", "k1"));
      assertEquals(first + 2, service.submit("true"));
    } catch (AssertionError failed) {
      throw new AssertionError(service.describe(), failed);
    }
  }
}
