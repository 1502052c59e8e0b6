package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.select.ChosenJob;
import io.remuda.coordinator.cli.select.JobChoice;
import io.remuda.coordinator.cli.select.JobFilters;
import io.remuda.coordinator.cli.server.RestCommand;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailure;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** A command that applies one action to several jobs; a refused job does not stop the others. */
abstract class JobsChange extends RestCommand {

  @Parameters(arity = "0..*", paramLabel = "JOB", description = JobChoice.WAYS)
  private List<String> selectors = new ArrayList<>();

  @Mixin private JobFilters filters;

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

  /** Returns whether it can be done to one task of a job. */
  boolean takesTasks() {
    return false;
  }

  /** Finds the jobs. */
  List<ChosenJob> chosen(RestClient server) throws IOException {
    return said(JobChoice.of(server, selectors, filters, JobChoice.Purpose.CHANGE));
  }

  /** Finds the jobs, with the number of their tasks by state. */
  List<ChosenJob> chosenWithProgress(RestClient server) throws IOException {
    return said(JobChoice.withProgress(server, selectors, filters, JobChoice.Purpose.CHANGE));
  }

  private List<ChosenJob> said(JobChoice.Choice choice) {
    choice.notes().forEach(note -> err().println("remuda: " + PrintableText.of(note)));
    return choice.jobs();
  }

  @Override
  protected int ask(RestClient server) throws IOException {
    if (selectors.isEmpty() && filters.areNone()) {
      throw new ParameterException(spec.commandLine(), JobChoice.NONE_NAMED);
    }
    List<ChosenJob> jobs = chosen(server);
    for (ChosenJob job : jobs) {
      if (job.task() != null && !takesTasks()) {
        throw new ParameterException(
            spec.commandLine(),
            spec.name() + " takes whole jobs, got '" + job.id() + "." + job.task() + "'");
      }
    }
    if (jobs.isEmpty() && !quiet) {
      err().println("remuda: no such job is unfinished");
      err().flush();
    }
    int worst = OK;
    for (ChosenJob job : jobs) {
      try {
        JsonNode answer = server.post(job.path() + "/" + action + query(), null);
        if (!quiet) {
          out().println(job.words(answer) + " " + done);
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
