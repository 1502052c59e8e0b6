package io.remuda.coordinator.cli.command;

import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailure;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Ends the server. */
@Command(
    name = "stop",
    description =
        "Ends the server. Running tasks are cancelled; waiting tasks are kept for the next server.")
final class StopCommand extends RestCommand {

  private static final long DEADLINE_NANOS = 20_000_000_000L;
  private static final long LOOK_MILLIS = 50;

  @Option(names = "--keep", description = "tasks continue; the next server takes them over")
  private boolean keep;

  @Override
  int ask(RestClient server) throws IOException, InterruptedException {
    server.post("/stop" + (keep ? "?keep=1" : ""), null);
    long deadline = System.nanoTime() + DEADLINE_NANOS;
    while (System.nanoTime() < deadline) {
      try {
        server.get("/version");
        Thread.sleep(LOOK_MILLIS);
      } catch (RestFailure gone) {
        return OK;
      } catch (IOException goneMeanwhile) {
        return OK;
      }
    }
    err().println("remuda: the server has not ended within 20 seconds");
    err().flush();
    return FAILURE;
  }
}
