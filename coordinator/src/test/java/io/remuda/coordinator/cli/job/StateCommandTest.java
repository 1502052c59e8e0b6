package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class StateCommandTest {

  private FakeServer server;

  @BeforeEach
  void serve() throws Exception {
    server = new FakeServer();
  }

  @AfterEach
  void close() {
    server.close();
  }

  private List<String> state(String... words) throws Exception {
    StringWriter out = new StringWriter();
    StateCommand command = new StateCommand();
    new CommandLine(command).setOut(new PrintWriter(out, true)).parseArgs(words);
    command.ask(server.client());
    return out.toString().lines().toList();
  }

  private static String last(List<String> lines) {
    return lines.get(lines.size() - 1);
  }

  @Test
  void that_more_jobs_are_there_is_said_only_to_who_named_no_number() throws Exception {
    StringBuilder jobs = new StringBuilder();
    for (int id = 300; id > 100; id--) {
      jobs.append(jobs.isEmpty() ? "" : ",").append("{\"id\":" + id + ",\"state\":\"running\"}");
    }
    server.answers("/jobs", "{\"filtered\":true,\"next\":101,\"jobs\":[" + jobs + "]}");
    assertEquals("these are the newest 200; -n N lists more, --json all", last(state("--all")));
    assertFalse(last(state("--all", "-n", "200")).startsWith("these"));
  }

  private String refusal(String... words) {
    return assertThrows(CommandLine.ParameterException.class, () -> state(words)).getMessage();
  }

  @Test
  void columns_are_chosen_by_their_headings_in_any_case() throws Exception {
    server.answers(
        "/jobs", "{\"filtered\":true,\"jobs\":[{\"id\":1,\"state\":\"held\",\"name\":\"n\"}]}");
    assertEquals(List.of("NAME  JOB", "n     1"), state("-o", "name,JOB"));
    assertFalse(server.requests().get(0).contains("terms"), server.requests()::toString);
  }

  @Test
  void me_means_the_user_of_the_token() throws Exception {
    server.answers("/jobs", "{\"filtered\":true,\"jobs\":[]}");
    state("--me");
    assertEquals("GET /jobs?limit=200&progress&user=ann", server.requests().get(0));
  }

  @Test
  void what_jobs_asked_for_is_requested_only_for_columns_that_show_it() throws Exception {
    server.answers("/jobs", "{\"filtered\":true,\"jobs\":[{\"id\":1,\"needs\":{\"cpus\":2.0}}]}");
    assertEquals(List.of("JOB  CPUS", "1    2"), state("--columns", "job", "-o", "cpus"));
    assertEquals("GET /jobs?limit=200&progress&terms", server.requests().get(0));
  }

  @Test
  void the_peak_is_requested_only_for_its_column_and_comes_with_json_too() throws Exception {
    server.answers("/jobs", "{\"filtered\":true,\"jobs\":[{\"id\":1,\"peakRssBytes\":2097152}]}");
    assertEquals(List.of("JOB  PEAK", "1    2 MiB"), state("-o", "job,peak"));
    assertTrue(state("--json", "-o", "MaxRSS").toString().contains("2097152"));
    state("--json");
    assertEquals(
        List.of(
            "GET /jobs?limit=200&progress&peak",
            "GET /jobs?limit=1000&progress&peak",
            "GET /jobs?limit=1000&progress"),
        server.requests());
  }

  @Test
  void columns_may_be_called_as_slurm_does() throws Exception {
    server.answers("/jobs", "{\"filtered\":true,\"jobs\":[{\"id\":1,\"state\":\"held\"}]}");
    assertEquals(
        "JOB  NAME  STATE  RAN  PEAK  EXIT  START  ENDED-AT  SUBMITTED-AT  NODE  USER  REASON",
        state(
                "--format=JobID,JobName%30,State,elapsed,MaxRSS,ExitCode,Start,End,Submit,NODELIST,"
                    + "User,Reason")
            .get(0));
    assertEquals("NAME", state("-o", "jobname%-8").get(0));
  }

  @Test
  void a_column_that_is_not_there_is_refused_with_those_that_are() {
    assertTrue(
        refusal("-o", "job,nod").contains("no column is called 'nod': there are job, state, "),
        () -> refusal("-o", "job,nod"));
    String slurm = "is Slurm's: name columns, as -o job,name,user,state,ran,node,reason";
    assertTrue(refusal("-o", "%i %j").contains("'%i %j' " + slurm), () -> refusal("-o", "%i"));
    assertTrue(refusal("--format", "%i").contains("'%i' " + slurm));
    assertTrue(refusal("-o", "").contains("no column is called ''"), () -> refusal("-o", ""));
  }

  @Test
  void a_job_that_waits_for_its_time_shows_it_as_its_start() throws Exception {
    server.answers(
        "/jobs",
        "{\"filtered\":true,\"jobs\":[{\"id\":1,\"state\":\"submitted\","
            + "\"expectedStartAt\":\"2020-11-25T12:00:00Z\"}]}");
    assertEquals("~11-25", last(state()).split(" +")[3]);
  }

  @Test
  void a_tree_asks_for_what_the_jobs_wait_for() throws Exception {
    server.answers(
        "/jobs",
        "{\"filtered\":true,\"jobs\":[{\"id\":2,\"state\":\"submitted\","
            + "\"terms\":{\"after\":[\"1:ok\"]}},{\"id\":1,\"state\":\"running\"}]}");
    assertEquals(
        List.of("JOB  STATE", "1    running", "  2  submitted"),
        state("--tree", "-o", "job,state"));
    assertTrue(server.requests().get(0).contains("&terms"), server.requests()::toString);
    state("--tree", "--json");
    assertTrue(server.requests().get(1).contains("&terms"), server.requests()::toString);
  }

  @Test
  void that_all_have_ended_is_said_only_if_there_was_one() throws Exception {
    server.answers("/jobs", "{\"filtered\":true,\"jobs\":[]}");
    assertEquals(List.of("no jobs yet"), state());
    server.close();
    serve();
    server.answers("/jobs?limit=1&all", "{\"filtered\":true,\"jobs\":[{\"id\":1}]}");
    server.answers("/jobs", "{\"filtered\":true,\"jobs\":[]}");
    assertEquals(List.of("all jobs have ended (see --all)"), state());
  }

  @Test
  void what_has_not_started_is_also_an_array_that_runs_and_of_which_tasks_wait() throws Exception {
    server.answers(
        "/jobs",
        "{\"filtered\":true,\"jobs\":["
            + "{\"id\":4,\"state\":\"running\",\"counts\":{\"running\":1}},"
            + "{\"id\":3,\"state\":\"running\",\"counts\":{\"running\":1,\"waiting\":9}},"
            + "{\"id\":2,\"state\":\"held\",\"counts\":{\"held\":1}},"
            + "{\"id\":1,\"task\":0,\"state\":\"running\",\"counts\":{\"waiting\":1}}]}");
    assertEquals(List.of("2", "3"), state("-q", "--state", "PD"));
    assertEquals(List.of("3"), state("-q", "--state", "pending", "-n", "1"));
    assertEquals(List.of("3"), state("-q", "--state", "waiting"));
    assertEquals(List.of("3", "2"), state("-q", "--state", "pending", "1.0", "2-4"));
    assertTrue(server.requests().get(0).startsWith("GET /jobs?limit=1000&progress&state="));
  }

  @Test
  void jobs_may_be_those_that_have_ended_since_a_time() throws Exception {
    server.answers("/jobs", "{\"filtered\":true,\"jobs\":[]}");
    assertEquals(List.of("no job passes the filters"), state("--ended-since", "2026-11-24"));
    assertTrue(server.requests().get(0).startsWith("GET /jobs?limit=200&all&progress&endedSince="));
  }
}
