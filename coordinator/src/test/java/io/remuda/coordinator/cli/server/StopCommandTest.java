package io.remuda.coordinator.cli.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.cli.job.FakeServer;
import io.remuda.coordinator.console.UserPrompt;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** On a terminal, {@code remuda stop} asks before it cancels what runs. */
@Timeout(60)
class StopCommandTest {
  private static final String QUESTION =
      "3 running jobs are cancelled (remuda stop --keep lets them go on); stop the server? [y/N] ";

  private final StringWriter err = new StringWriter();
  private FakeServer server;

  @BeforeEach
  void serve() throws Exception {
    server = new FakeServer().answers("/stop", "{}").answers("/version", "");
  }

  @AfterEach
  void close() {
    server.close();
  }

  private int stop(String typed, String... words) throws Exception {
    StopCommand command =
        new StopCommand(
            new UserPrompt() {
              @Override
              public boolean isPossible() {
                return true;
              }

              @Override
              public String line() {
                return typed;
              }
            });
    new CommandLine(command).setErr(new PrintWriter(err, true)).parseArgs(words);
    return command.ask(server.client());
  }

  private List<String> stops() {
    return server.requests().stream().filter(request -> request.startsWith("POST")).toList();
  }

  @Test
  void running_jobs_are_cancelled_only_after_a_yes() throws Exception {
    server.answers("/top?jobs=0", "{\"counts\":{\"running\":3,\"waiting\":2}}");
    assertEquals(1, stop(""));
    assertEquals(QUESTION + "remuda: the server goes on\n", err.toString());
    assertEquals(List.of(), stops());
    assertEquals(0, stop("y"));
    assertEquals(List.of("POST /stop"), stops());
  }

  @Test
  void nobody_is_asked_with_an_option_that_says_it_or_if_nothing_runs() throws Exception {
    server.answers("/top?jobs=0", "{\"counts\":{\"running\":3}}");
    assertEquals(0, stop("", "--keep"));
    assertEquals(0, stop("", "--now"));
    assertEquals(0, stop("", "--yes"));
    server.answers("/top?jobs=0", "{\"counts\":{\"waiting\":2}}");
    assertEquals(0, stop(""));
    assertEquals("", err.toString());
    assertEquals(
        List.of("POST /stop?keep=1", "POST /stop?now=1", "POST /stop", "POST /stop"), stops());
  }
}
