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
  void a_time_to_begin_is_sent_as_an_instant() throws Exception {
    assertEquals(
        "{\"begin\":\"2026-11-26T22:00:00Z\"}", sent("1", "--begin", "2026-11-26T22:00:00Z"));
    assertEquals(
        "--begin: 'soon' is not a time: write 22:00, now+2h, tomorrow 06:00, 2026-11-26 22:00 or"
            + " 2026-11-26T22:00:00Z",
        assertThrows(ParameterException.class, () -> sent("1", "--begin", "soon")).getMessage());
  }
}
