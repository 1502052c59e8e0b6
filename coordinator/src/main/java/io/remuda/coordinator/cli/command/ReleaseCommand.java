package io.remuda.coordinator.cli.command;

import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailure;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lets jobs that are on hold start. */
@Command(name = "release", description = "Lets jobs that are on hold start.")
final class ReleaseCommand extends Verb {

  @Parameters(arity = "1..*", paramLabel = "JOB")
  private List<String> ids;

  @Override
  int ask(RestClient server) throws IOException {
    int worst = OK;
    for (String id : ids) {
      try {
        server.post(job(id) + "/release", null);
        if (!quiet) {
          out().println("job " + id + " is off hold");
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
