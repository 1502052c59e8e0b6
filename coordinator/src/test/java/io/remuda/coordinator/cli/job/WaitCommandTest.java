package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.cli.server.WithFakeServer;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.testkit.StandingServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

class WaitCommandTest extends WithFakeServer {

  private int await(String... words) throws Exception {
    return ask(new WaitCommand(), words);
  }

  @Test
  void the_tasks_of_a_job_are_not_read() throws Exception {
    server.answers("/jobs/7?limit=0", "{\"id\":7,\"state\":\"running\"}");
    server.then("/jobs/7?limit=0", "{\"id\":7,\"state\":\"succeeded\"}");
    assertEquals(0, await("7"));
    assertEquals(List.of("GET /jobs/7?limit=0", "GET /jobs/7?limit=0"), server.requests());
  }

  @Test
  void several_jobs_are_asked_for_at_once_and_only_failures_are_said() throws Exception {
    server.answers(
        "/jobs?all",
        "{\"filtered\":true,\"jobs\":[{\"id\":1,\"state\":\"succeeded\"},"
            + "{\"id\":2,\"state\":\"failed\",\"reason\":\"exit code 3\"}]}");
    assertEquals(1, await("1", "2"));
    assertEquals(List.of("GET /jobs?all&limit=100&select=1%2C2"), server.requests());
    assertEquals("job 2 failed: exit code 3\n", err.toString());
    assertEquals("", out.toString());
  }

  @Test
  void a_server_that_knows_no_selectors_is_asked_for_one_after_the_other() throws Exception {
    server.answers("/jobs/1", "{\"id\":1,\"state\":\"succeeded\"}");
    server.answers("/jobs/2", "{\"id\":2,\"state\":\"succeeded\"}");
    server.answers("/jobs?", "{\"jobs\":[{\"id\":9,\"state\":\"succeeded\"}]}");
    assertEquals(0, await("1", "2"));
  }

  @Test
  void a_task_alone_can_be_waited_for() throws Exception {
    server.answers(
        "/jobs/5/tasks?limit=1&first=2",
        "{\"tasks\":[{\"index\":2,\"state\":\"lost\",\"cause\":\"its node is gone\"}]}");
    assertEquals(1, await("5.2"));
    assertEquals("task 5.2 lost: its node is gone\n", err.toString());
  }

  @Test
  void it_says_when_there_is_nothing_to_wait_for() throws Exception {
    server.answers("/jobs?", "{\"filtered\":true,\"jobs\":[],\"next\":null}");
    assertEquals(0, await("--since", "2h"));
    assertEquals("remuda: nothing to wait for: no unfinished job is meant\n", err.toString());
  }

  @Test
  void a_bare_number_is_no_time() {
    ParameterException wrong =
        assertThrows(ParameterException.class, () -> await("--timeout", "1", "5"));
    assertTrue(wrong.getMessage().endsWith(": 1 what? write 1s, 1m or 1h"), wrong.getMessage());
  }

  @Test
  void after_the_timeout_it_gives_up_with_an_exit_code_of_its_own() throws Exception {
    server.answers("/jobs/1", "{\"id\":1,\"state\":\"running\",\"tasks\":1}");
    assertEquals(124, await("--timeout", "50ms", "1"));
    assertEquals("remuda: the time has passed before the end of job 1\n", err.toString());
  }

  private int awaitBeside(StandingServer still, String time) throws Exception {
    String rest = "http://127.0.0.1:" + still.port();
    ServerAccessFile access =
        new ServerAccessFile(1, null, null, null, rest, null, true, "ann", "token");
    return ask(new RestClient(access), new WaitCommand(), "--timeout", time, "1");
  }

  @Test
  void a_server_that_never_answers_costs_no_more_than_the_timeout() throws Exception {
    try (StandingServer still = StandingServer.after()) {
      long begin = System.nanoTime();
      assertEquals(
          RestFailureException.NO_SERVER,
          assertThrows(RestFailureException.class, () -> awaitBeside(still, "100ms")).status());
      assertTrue(System.nanoTime() - begin < Duration.ofSeconds(15).toNanos());
    }
  }

  @Test
  void one_that_stands_still_once_it_has_answered_does_not_make_it_longer() throws Exception {
    try (StandingServer still = StandingServer.after("{\"id\":1,\"state\":\"running\"}")) {
      long begin = System.nanoTime();
      assertEquals(124, awaitBeside(still, "3s"));
      assertTrue(System.nanoTime() - begin < Duration.ofSeconds(25).toNanos());
    }
  }

  @Test
  void progress_is_in_lines_where_there_is_no_terminal() throws Exception {
    server.answers(
        "/jobs/1?", "{\"id\":1,\"state\":\"succeeded\",\"tasks\":3,\"counts\":{\"succeeded\":3}}");
    assertEquals(0, await("--progress", "1"));
    assertEquals("3/3 ended\n", err.toString());
  }

  @Test
  void as_json_it_prints_all_as_a_list_has_them_with_the_same_exit_code() throws Exception {
    String one = "{\"id\":1,\"state\":\"succeeded\"}";
    server.answers("/jobs?all", "{\"filtered\":true,\"jobs\":[" + one + "]}");
    server.answers("/jobs/5/tasks", "{\"tasks\":[{\"index\":2,\"state\":\"lost\"}]}");
    assertEquals(1, await("--json", "1", "5.2"));
    assertEquals(
        "[" + one + ",{\"index\":2,\"state\":\"lost\",\"reason\":null,\"job\":5}]",
        RestClient.JSON.readTree(out.toString()).toString());
  }

  @Test
  void as_json_it_also_says_after_the_timeout_what_has_not_ended() throws Exception {
    String running = "{\"id\":1,\"state\":\"running\",\"tasks\":1}";
    server.answers("/jobs?all", "{\"filtered\":true,\"jobs\":[" + running + "]}");
    assertEquals(124, await("--json", "--timeout", "50ms", "1"));
    assertEquals("[" + running + "]", RestClient.JSON.readTree(out.toString()).toString());
  }

  @Test
  void all_jobs_of_a_name_count_also_those_that_have_ended_before() throws Exception {
    server.answers(
        "/jobs?limit=1000&all&name=exp&user=ann",
        "{\"filtered\":true,\"next\":null,\"jobs\":[{\"id\":2,\"state\":\"running\"},"
            + "{\"id\":1,\"state\":\"failed\",\"reason\":\"exit code 3\"}]}");
    server.answers(
        "/jobs?all",
        "{\"filtered\":true,\"jobs\":[{\"id\":1,\"state\":\"failed\",\"reason\":\"exit code 3\"},"
            + "{\"id\":2,\"state\":\"succeeded\"}]}");
    assertEquals(1, await("--name", "exp"), server.requests()::toString);
    assertEquals("job 1 failed: exit code 3\n", err.toString());
  }

  @Test
  void a_name_that_no_job_has_is_a_failure() throws Exception {
    server.answers("/jobs?", "{\"filtered\":true,\"next\":null,\"jobs\":[]}");
    assertEquals(
        "no job of yours has this name: remuda state --all has them",
        assertThrows(RestFailureException.class, () -> await("--name", "nosuch")).getMessage());
  }

  @Test
  void jobs_of_a_name_that_are_submitted_meanwhile_are_waited_for_too() throws Exception {
    String one = "{\"id\":1,\"state\":\"succeeded\"}";
    String list = "{\"filtered\":true,\"next\":null,\"jobs\":[%s]}";
    String named = "/jobs?limit=1000&all&name=exp&user=ann";
    server.answers(named, list.formatted(one));
    server.answers("/jobs/1", one);
    server.answers("/jobs/2", "{\"id\":2,\"state\":\"failed\",\"reason\":\"exit code 3\"}");
    server.then(named, list.formatted("{\"id\":2,\"state\":\"running\"}," + one));
    assertEquals(1, await("--name", "exp"), server.requests()::toString);
    assertEquals("job 2 failed: exit code 3\n", err.toString());
  }
}
