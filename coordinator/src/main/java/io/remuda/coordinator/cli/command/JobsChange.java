package io.remuda.coordinator.cli.command;

import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailure;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Parameters;

/** A verb that does the same to each of several jobs; one that refuses does not keep the others. */
abstract class JobsChange extends RestCommand {

  @Parameters(arity = "1..*", paramLabel = "JOB")
  private List<String> ids;

  private final String action;
  private final String done;

  /**
   * A change of jobs.
   *
   * @param action last part of its path
   * @param done what a job is then, for people
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
  int ask(RestClient server) throws IOException {
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
