package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class SetCommandTest {

  private FakeServer server;

  @BeforeEach
  void serve() throws Exception {
    server = new FakeServer();
    server.answers("/jobs/1/set", "{\"id\":1,\"ending\":0}");
  }

  @AfterEach
  void close() {
    server.close();
  }

  private String sent(String... words) throws Exception {
    SetCommand command = new SetCommand();
    new CommandLine(command).setOut(new PrintWriter(new StringWriter())).parseArgs(words);
    command.ask(server.client());
    List<String> bodies = server.bodies();
    return bodies.get(bodies.size() - 1);
  }

  @Test
  void jobs_to_start_after_are_a_list_and_none_is_an_empty_one() throws Exception {
    String all = "{\"after\":[\"2\",\"a:any\",\"4\"]}";
    assertEquals(all, sent("1", "--after", "2,a:any", "--after", "4"));
    assertEquals("{\"after\":[]}", sent("1", "--after", "none"));
    assertEquals("{\"after\":[]}", sent("1", "--after", ""));
  }

  @Test
  void one_of_several_jobs_to_start_after_is_another_field() throws Exception {
    String one = "{\"afterOneOf\":[\"2\",\"a:any\"]}";
    assertEquals(one, sent("1", "--after-one-of", "2,a:any"));
    assertEquals("{\"afterOneOf\":[]}", sent("1", "--after-one-of", "none"));
    assertEquals(
        "--after and --after-one-of exclude each other: a job waits for all of its jobs or for one"
            + " of them",
        assertThrows(
                ParameterException.class, () -> sent("1", "--after", "2", "--after-one-of", "3"))
            .getMessage());
  }

  @Test
  void a_time_to_begin_is_sent_as_an_instant() throws Exception {
    assertEquals(
        "{\"begin\":\"2026-11-26T22:00:00Z\"}", sent("1", "--begin", "2026-11-26T22:00:00Z"));
    assertEquals(
        "--begin: 'soon' is not a time: write 22:00, now+2h, tomorrow 06:00, 2026-11-26 22:00 or"
            + " 2026-11-26T22:00:00Z",
        assertThrows(ParameterException.class, () -> sent("1", "--begin", "soon")).getMessage());
  }

  @Test
  void several_jobs_are_changed_and_a_refused_one_does_not_stop_the_others() throws Exception {
    server.answers("/jobs/2/set", "{\"id\":2,\"ending\":0}");
    sent("1", "2", "-p", "3");
    assertEquals(List.of("POST /jobs/1/set", "POST /jobs/2/set"), server.requests());
  }

  @Test
  void a_name_means_a_job_that_can_be_changed() throws Exception {
    server.answers("/jobs?", "{\"filtered\":true,\"jobs\":[{\"id\":1}]}");
    sent("A,B", "-p", "3");
    assertEquals("GET /jobs?limit=10000&select=A%2CB", server.requests().get(0));
  }

  @Test
  void tasks_are_refused() {
    assertEquals(
        "set changes whole jobs, got task 1.2",
        assertThrows(ParameterException.class, () -> sent("1.2", "-p", "3")).getMessage());
  }
}
