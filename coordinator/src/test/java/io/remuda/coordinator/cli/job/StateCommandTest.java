package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

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

  @Test
  void a_job_that_waits_for_its_time_shows_it_as_its_start() throws Exception {
    server.answers(
        "/jobs",
        "{\"filtered\":true,\"jobs\":[{\"id\":1,\"state\":\"submitted\","
            + "\"expectedStartAt\":\"2020-11-25T12:00:00Z\"}]}");
    assertEquals("~11-25", last(state()).split(" +")[3]);
  }
}
