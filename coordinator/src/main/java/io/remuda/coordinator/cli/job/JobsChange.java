package io.remuda.coordinator.cli.job;

import io.remuda.coordinator.cli.server.RestCommand;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailure;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Parameters;

/** A command that applies one action to several jobs; a refused job does not stop the others. */
abstract class JobsChange extends RestCommand {

  @Parameters(arity = "1..*", paramLabel = "JOB")
  private List<String> ids;

  private final String action;
  private final String done;

  /**
   * @param action last part of the request's path
   * @param done state of a job after the change, as printed
   */
  JobsChange(String action, String done) {
    this.action = action;
    this.done = done;
  }

  /** Returns what follows the path. */
  String query() {
    return "";
  }

  @Override
  protected int ask(RestClient server) throws IOException {
    int worst = OK;
    for (String id : ids) {
      try {
        server.post(job(id) + "/" + action + query(), null);
        if (!quiet) {
          out().println("job " + id + " " + done);
        }
      } catch (RestFailure no) {
        if (no.status() == RestFailure.NO_SERVER) {
          throw no;
        }
        err().println("remuda: " + PrintableText.of(no.getMessage()));
        worst = FAILURE;
      }
    }
    out().flush();
    return worst;
  }
}
