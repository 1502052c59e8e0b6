package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.cli.server.WithFakeServer;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.console.UserPrompt;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

class CancelCommandTest extends WithFakeServer {

  private static final String ARRAY =
      "{\"filtered\":true,\"next\":null,\"jobs\":[{\"id\":7,\"name\":\"sweep\",\"tasks\":30,"
          + "\"counts\":{\"running\":2,\"waiting\":10,\"succeeded\":18}}]}";

  private boolean terminal;
  private String typed = "";

  private int cancel(String... words) throws Exception {
    CancelCommand command =
        new CancelCommand(
            new UserPrompt() {
              @Override
              public boolean isPossible() {
                return terminal;
              }

              @Override
              public String line() {
                return typed;
              }
            });
    return ask(command, words);
  }

  @Test
  void numbers_need_no_other_request_and_a_task_has_its_own_path() throws Exception {
    assertEquals(0, cancel("5", "6.2"));
    String waiting = "/tasks/cancel?state=submitted,held,waiting";
    assertEquals(
        List.of(
            "POST /jobs/5" + waiting + "&first=0",
            "POST /jobs/6" + waiting + "&end=3&first=2",
            "POST /jobs/5/cancel",
            "POST /jobs/6/tasks/2/cancel"),
        server.requests());
    assertEquals("job 5 is cancelled\ntask 6.2 is cancelled\n", out.toString());
  }

  @Test
  void a_task_is_named_by_its_number_and_its_array_index() throws Exception {
    server.answers("/jobs?", "{\"filtered\":true,\"jobs\":[{\"id\":47,\"task\":2}]}");
    server.answers("/jobs/47/tasks/2/cancel", "{\"id\":47,\"arrayIndex\":3}");
    assertEquals(0, cancel("47_3"));
    assertEquals("GET /jobs?limit=10000&select=47_3", server.requests().get(0));
    assertEquals(0, cancel("47.2"));
    assertEquals(
        "task 47.2 (index 3) is cancelled\ntask 47.2 (index 3) is cancelled\n", out.toString());
  }

  @Test
  void a_server_that_knows_no_selectors_cancels_nothing() throws Exception {
    server.answers("/jobs?", "{\"jobs\":[{\"id\":1},{\"id\":2}],\"next\":null}");
    for (String words : List.of("train", "all", "1-2", "--state waiting", "--state failed")) {
      assertThrows(RestFailureException.class, () -> cancel(words.split(" ")));
    }
    assertTrue(server.requests().stream().noneMatch(request -> request.startsWith("POST")));
  }

  @Test
  void on_a_terminal_more_than_ten_tasks_end_only_after_a_yes() throws Exception {
    server.answers("/jobs?", ARRAY);
    terminal = true;
    typed = "n";
    assertEquals(1, cancel("sweep"));
    assertEquals(
        "cancel 12 tasks of 1 job (7 sweep)? [y/N] remuda: nothing is cancelled\n", err.toString());
    assertTrue(server.requests().stream().noneMatch(request -> request.startsWith("POST")));
    typed = "y";
    assertEquals(0, cancel("sweep"));
    assertEquals("POST /jobs/7/cancel", server.requests().get(server.requests().size() - 1));
  }

  @Test
  void tasks_of_one_job_are_asked_about_as_such() throws Exception {
    String tasks =
        IntStream.range(0, 12)
            .mapToObj(
                task ->
                    "{\"id\":7,\"task\":%d,\"name\":\"sweep\",\"counts\":{\"running\":30}}"
                        .formatted(task))
            .collect(Collectors.joining(","));
    server.answers("/jobs?", "{\"filtered\":true,\"next\":null,\"jobs\":[" + tasks + "]}");
    terminal = true;
    typed = "n";
    assertEquals(1, cancel("7_1-12"));
    assertTrue(err.toString().startsWith("cancel 12 tasks of 1 job (7 sweep)? "), err.toString());
  }

  @Test
  void nobody_is_asked_with_yes_or_without_a_terminal() throws Exception {
    server.answers("/jobs?", ARRAY);
    assertEquals(0, cancel("sweep"));
    terminal = true;
    assertEquals(0, cancel("--yes", "sweep"));
    assertEquals("", err.toString());
  }

  @Test
  void without_a_job_or_a_filter_it_says_what_can_be_named() {
    assertTrue(
        assertThrows(ParameterException.class, () -> cancel())
            .getMessage()
            .startsWith("no job is named: give a number, a name, last or all"));
  }

  @Test
  void filters_alone_mean_the_users_own_unfinished_jobs() throws Exception {
    server.answers("/jobs?", ARRAY);
    assertEquals(0, cancel("--state", "running,held", "--name", "a b", "-n", "3"));
    assertEquals(
        "GET /jobs?limit=3&state=running&state=held&name=a+b&user=ann", server.requests().get(0));
    assertEquals("POST /jobs/7/cancel", server.requests().get(1));
  }

  @Test
  void of_what_has_not_started_the_server_decides_task_by_task() throws Exception {
    server.answers("/jobs?", ARRAY);
    server.answers(
        "/jobs/7/tasks/cancel?state=waiting&first=0", "{\"cancelled\":4,\"left\":8,\"next\":9}");
    server.answers("/jobs/7/tasks/cancel?state=waiting&first=9", "{\"cancelled\":6,\"left\":2}");
    assertEquals(0, cancel("--state", "WAITING"));
    assertTrue(server.requests().get(0).contains("&state=waiting&"), server.requests()::toString);
    assertTrue(server.requests().get(0).contains("&state=running&"), server.requests()::toString);
    assertEquals("job 7: 10 tasks that waited are cancelled, 2 go on\n", out.toString());
    assertTrue(server.requests().stream().noneMatch(asked -> asked.endsWith("/jobs/7/cancel")));
  }

  @Test
  void only_tasks_that_wait_are_asked_about() throws Exception {
    server.answers("/jobs?", ARRAY);
    terminal = true;
    typed = "n";
    assertEquals(0, cancel("--state", "pending", "sweep"), "ten are cancelled without a question");
    assertEquals("remuda: nothing to cancel\n", err.toString());
  }

  @Test
  void nothing_to_cancel_is_no_failure() throws Exception {
    server.answers("/jobs?", "{\"filtered\":true,\"next\":null,\"jobs\":[]}");
    for (String words : List.of("all", "--state pending", "--name x", "--state failed last")) {
      assertEquals(0, cancel(words.split(" ")));
    }
    assertEquals("remuda: nothing to cancel\n".repeat(4), err.toString());
  }

  @Test
  void a_dry_run_says_what_would_end_and_ends_nothing() throws Exception {
    server.answers("/jobs?", ARRAY);
    terminal = true; // it does not ask
    assertEquals(0, cancel("--dry-run", "sweep"));
    assertEquals("would cancel job 7 (sweep): 10 waiting, 2 running\n", out.toString());
    assertEquals(0, cancel("--dry-run", "--state", "pending", "sweep"));
    assertTrue(out.toString().endsWith("would cancel job 7 (sweep): 10 waiting\n"));
    server.answers("/jobs/7", "{\"id\":7,\"dependents\":[8,12]}");
    assertEquals(0, cancel("--dry-run", "sweep"));
    assertTrue(out.toString().endsWith("2 running; jobs that start after it: 8, 12\n"));
    assertTrue(server.requests().stream().noneMatch(request -> request.startsWith("POST")));
    assertEquals("", err.toString());
  }

  @Test
  void of_several_one_that_the_end_of_another_has_cancelled_is_no_failure() throws Exception {
    server.answers("/jobs/8/cancel", "").answers("/jobs/8", "{\"state\":\"cancelled\"}");
    assertEquals(0, cancel("7", "8"));
    assertEquals("job 7 is cancelled\njob 8 is cancelled\n", out.toString());
    assertEquals(1, cancel("8"), "alone it was over before");
    server.answers("/jobs/9/cancel", "").answers("/jobs/9", "{\"state\":\"failed\"}");
    assertEquals(1, cancel("7", "9"));
  }

  @Test
  void of_several_what_waits_is_cancelled_before_what_runs() throws Exception {
    server.answers("/jobs/7/tasks/cancel", "{\"cancelled\":3,\"left\":2}");
    server.answers("/jobs/8/tasks/cancel", "{\"cancelled\":1,\"left\":0}");
    assertEquals(0, cancel("7", "8"));
    assertEquals("job 7 is cancelled\njob 8 is cancelled\n", out.toString());
    assertEquals(
        List.of("POST /jobs/7/cancel"),
        server.requests().stream().filter(asked -> asked.matches(".*/\\d/cancel")).toList());
    assertEquals("POST /jobs/7/cancel", server.requests().get(2), "after what waits of both");
  }

  @Test
  void many_are_cancelled_by_one_request_and_said_on_one_line() throws Exception {
    server.answers(
        "/jobs/change", "{\"jobs\":0,\"tasks\":1988,\"over\":12,\"refused\":0,\"reasons\":[]}");
    server.answers("/jobs?", tasksOfSeven(2000));
    assertEquals(1, cancel("--reason", "a typo", "7.1000-2999"));
    assertEquals("1,988 tasks of job 7 are cancelled\n", out.toString());
    assertEquals("remuda: 12 had ended before\n", err.toString());
    assertEquals(2, server.requests().size(), server.requests()::toString);
    assertEquals(
        "{\"action\":\"cancel\",\"jobs\":\"7.0-1999\",\"reason\":\"a typo\"}",
        server.bodies().get(1));
  }

  @Test
  void of_several_requests_the_one_with_the_newest_jobs_comes_first() throws Exception {
    // the end of a job may cancel those that wait for it, which have higher numbers
    server.answers("/jobs/change", "{\"jobs\":10,\"tasks\":0,\"over\":0,\"refused\":0}");
    String jobs =
        IntStream.rangeClosed(1, 5001)
            .mapToObj(id -> "{\"id\":%d,\"counts\":{\"waiting\":1}}".formatted(5002 - id))
            .collect(Collectors.joining(","));
    server.answers("/jobs?", "{\"filtered\":true,\"next\":null,\"jobs\":[" + jobs + "]}");
    assertEquals(0, cancel("1-5001"));
    assertEquals(
        List.of("2-5001", "1"),
        server.bodies().stream()
            .filter(body -> body.contains("jobs"))
            .map(body -> body.replaceAll(".*\"jobs\":\"([^\"]*)\".*", "$1"))
            .toList());
  }

  @Test
  void an_older_server_is_asked_one_by_one() throws Exception {
    server.answers("/jobs/change", "");
    server.answers("/jobs?", tasksOfSeven(12));
    assertEquals(0, cancel("7.0-11"));
    assertEquals(12, out.toString().lines().count());
  }

  @Test
  void what_is_refused_of_many_is_said() throws Exception {
    server.answers(
        "/jobs/change",
        "{\"jobs\":1,\"tasks\":0,\"over\":0,\"refused\":11,\"reasons\":[\"job 2 belongs to bob\"]}");
    server.answers("/jobs?", tasksOfSeven(12));
    assertEquals(1, cancel("--now", "7.0-11"));
    assertEquals("1 job is cancelled\n", out.toString());
    assertEquals("remuda: job 2 belongs to bob\nremuda: 10 more are refused\n", err.toString());
    assertTrue(server.bodies().get(1).contains("cancel-now"), server.bodies().get(1));
  }

  private static String tasksOfSeven(int count) {
    String tasks =
        IntStream.range(0, count)
            .mapToObj(task -> "{\"id\":7,\"task\":%d,\"counts\":{\"waiting\":1}}".formatted(task))
            .collect(Collectors.joining(","));
    return "{\"filtered\":true,\"next\":null,\"jobs\":[" + tasks + "]}";
  }
}
