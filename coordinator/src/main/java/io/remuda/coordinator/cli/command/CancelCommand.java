package io.remuda.coordinator.cli.command;

import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailure;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Ends jobs: what waits at once, what runs with SIGTERM and then SIGKILL. */
@Command(
    name = "cancel",
    description = "Ends jobs: what waits at once, what runs with SIGTERM and then SIGKILL.")
final class CancelCommand extends Verb {

  @Parameters(arity = "1..*", paramLabel = "JOB")
  private List<String> ids;

  @Override
  int ask(RestClient server) throws IOException {
    int worst = OK;
    for (String id : ids) {
      try {
        server.post(job(id) + "/cancel", null);
        if (!quiet) {
          out().println("job " + id + " is cancelled");
        }
      } catch (RestFailure no) {
        if (no.status() == RestFailure.NO_SERVER) {
          throw no;
        }
        err().println("remuda: " + no.getMessage());
        worst = FAILURE;
      }
    }
    out().flush();
    return worst;
  }
}
