package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.select.ChosenJob;
import io.remuda.coordinator.cli.select.JobBatch;
import io.remuda.coordinator.cli.select.JobFilters;
import io.remuda.coordinator.cli.select.JobFinder;
import io.remuda.coordinator.cli.select.NumberedTask;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** A command that applies one action to several jobs; a refused job does not stop the others. */
abstract class JobActionCommand extends ServerCommandBase {

  @Parameters(arity = "0..*", paramLabel = "JOB", description = JobFinder.WAYS)
  private List<String> selectors = new ArrayList<>();

  @Mixin private JobFilters filters;

  private final String action;
  private final String done;

  /**
   * @param action last part of the request's path
   * @param done state of a job after the change, as printed
   */
  JobActionCommand(String action, String done) {
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

  /** Returns by which filters jobs are chosen. */
  JobFilters choosing() {
    return filters;
  }

  /** Returns the filters that are given. */
  final JobFilters filters() {
    return filters;
  }

  /** Changes a job; returns what to say, or null if there was nothing to change. */
  String change(RestClient server, ChosenJob job) throws IOException {
    JsonNode answer = server.post(job.path() + "/" + action + query(), null);
    return job.words(answer) + " " + done;
  }

  /** Does what has to be done to all of them before the first is changed. */
  void prepare(RestClient server, List<ChosenJob> jobs) throws IOException {}

  /**
   * Returns what the server calls the action if it can be done to many at once; else null.
   *
   * @see JobBatch
   */
  String actionOfMany() {
    return action;
  }

  /** Returns why, in the user's words, or null. */
  String reason() {
    return null;
  }

  /** Finds the jobs. */
  List<ChosenJob> chosen(RestClient server) throws IOException {
    return JobFinder.of(server, selectors, choosing(), JobFinder.Purpose.CHANGE).told(err());
  }

  /** Finds the jobs, with the number of their tasks by state. */
  List<ChosenJob> chosenWithProgress(RestClient server) throws IOException {
    return JobFinder.withProgress(server, selectors, choosing(), JobFinder.Purpose.CHANGE)
        .told(err());
  }

  @Override
  protected int ask(RestClient server) throws IOException {
    if (selectors.isEmpty() && filters.areNone()) {
      throw new ParameterException(spec.commandLine(), JobFinder.NONE_NAMED);
    }
    List<ChosenJob> jobs = chosen(server);
    for (ChosenJob job : jobs) {
      requireWhole(job, null);
    }
    if (jobs.size() > JobBatch.MOST_ONE_BY_ONE && actionOfMany() != null) {
      Optional<JobBatch> batch = JobBatch.change(server, jobs, actionOfMany(), reason());
      if (batch.isPresent()) {
        return batch.get().tell(done, quiet ? null : out(), err()) ? OK : FAILURE;
      }
    }
    return oneByOne(server, jobs);
  }

  /**
   * Returns a job.
   *
   * @param numbered what the user has named by number alone, or null
   * @throws ParameterException if it is a task, and the command takes whole jobs
   */
  private ChosenJob requireWhole(ChosenJob job, ChosenJob numbered) {
    if (job.task() == null || takesTasks()) {
      return job;
    }
    throw new ParameterException(
        spec.commandLine(),
        numbered != null
            ? NumberedTask.wholeJobs(spec.name(), "" + numbered.id(), job)
            : spec.name()
                + " accepts only whole jobs, and '"
                + String.join(" ", selectors)
                + "' names tasks of job "
                + job.id()
                + ": name the job");
  }

  private int oneByOne(RestClient server, List<ChosenJob> jobs) throws IOException {
    prepare(server, jobs);
    int worst = OK;
    boolean nothing = true;
    for (ChosenJob job : jobs) {
      try {
        String said = NumberedTask.ask(server, job, one -> change(server, requireWhole(one, job)));
        nothing &= said == null;
        if (said != null && !quiet) {
          out().println(said);
        }
      } catch (RestFailureException no) {
        if (no.status() == RestFailureException.NO_SERVER) {
          throw no;
        }
        err().println("remuda: " + PrintableText.of(no.getMessage()));
        worst = FAILURE;
      }
    }
    if (nothing && worst == OK && !quiet) {
      err().println("remuda: nothing to " + spec.name());
      err().flush();
    }
    out().flush();
    return worst;
  }
}
