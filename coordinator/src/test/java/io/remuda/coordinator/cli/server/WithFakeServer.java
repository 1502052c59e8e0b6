package io.remuda.coordinator.cli.server;

import io.remuda.coordinator.cli.job.FakeServer;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import picocli.CommandLine;

/** A command that asks a server which the test makes up, and what the command prints. */
public abstract class WithFakeServer {

  protected final StringWriter out = new StringWriter();
  protected final StringWriter err = new StringWriter();
  protected FakeServer server;

  @BeforeEach
  void serve() throws IOException {
    server = new FakeServer();
  }

  @AfterEach
  void close() {
    server.close();
  }

  /** Runs a command with these words, and returns its exit code. */
  protected int ask(ServerCommandBase command, String... words) throws Exception {
    return ask(server.client(), command, words);
  }

  /** Runs a command with these words and another server, and returns its exit code. */
  protected int ask(RestClient other, ServerCommandBase command, String... words) throws Exception {
    new CommandLine(command)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .parseArgs(words);
    return command.ask(other);
  }
}
