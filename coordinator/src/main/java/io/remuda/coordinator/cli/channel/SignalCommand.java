package io.remuda.coordinator.cli.channel;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.protocol.TaskSignal;
import io.remuda.coordinator.cli.select.ChosenJob;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Sends a signal to the running tasks of jobs. */
@Command(
    name = "signal",
    description = {
      "Sends a signal to running tasks: to the first process of each, as the --signal of submit"
          + " does; if that is a shell without a handler for it, to what the shell has started. all:"
          + " before the signal reaches every process that handles it, children: those of them below the first."
          + " It changes no state: to end jobs, use remuda cancel.",
      "",
      "Example: remuda signal USR1 last"
    })
public final class SignalCommand extends ServerCommandBase {

  /** So many tasks are listed. */
  private static final int MOST_LISTED = 20;

  @Parameters(
      index = "0",
      paramLabel = "SIGNAL",
      description =
          "USR1, SIGUSR1 or 10, and so on, up to 31, or all:USR1 or children:USR1; not KILL, for"
              + " which there is remuda cancel --now")
  private String signal;

  @Parameters(index = "1..*", arity = "0..*", paramLabel = "JOB", description = JobFinder.WAYS)
  private List<String> selectors = new ArrayList<>();

  @Mixin private JobFilters filters;

  @Override
  protected int ask(RestClient server) throws IOException {
    TaskSignal wanted = parsed();
    if (selectors.isEmpty() && filters.areNone()) {
      throw new ParameterException(spec.commandLine(), JobFinder.NONE_NAMED);
    }
    List<ChosenJob> jobs =
        JobFinder.of(server, selectors, filters, JobFinder.Purpose.CHANGE).told(err());
    if (jobs.isEmpty()) {
      err().println("remuda: no such job is unfinished");
    }
    int worst = jobs.isEmpty() ? FAILURE : OK;
    for (ChosenJob job : jobs) {
      worst = Math.max(worst, send(server, job, wanted));
    }
    err().flush();
    out().flush();
    return worst;
  }

  private TaskSignal parsed() {
    try {
      return TaskSignal.parse(signal);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage());
    }
  }

  private int send(RestClient server, ChosenJob job, TaskSignal wanted) throws IOException {
    JsonNode answer;
    try {
      answer =
          NumberedTask.ask(
              server,
              job,
              one -> server.post(one.path() + "/signal?signal=" + wanted.text(), null));
    } catch (RestFailureException no) {
      if (no.status() == RestFailureException.NO_SERVER) {
        throw no;
      }
      err().println("remuda: " + PrintableText.of(no.getMessage()));
      return FAILURE;
    }
    if (json) {
      printJson(answer);
    }
    return said(job, answer, wanted);
  }

  private int said(ChosenJob job, JsonNode answer, TaskSignal wanted) {
    List<String> got = new ArrayList<>();
    int worst = OK;
    for (JsonNode task : answer.path("tasks")) {
      if (task.path("fault").isTextual()) {
        err().println("remuda: " + PrintableText.of(fault(task)));
        worst = FAILURE;
      } else {
        got.add("task " + task.path("task").asText() + ChosenJob.index(task));
      }
    }
    if (json || quiet) {
      return worst;
    }
    if (got.size() > MOST_LISTED) {
      out().println(got.size() + " tasks of job " + job.id() + " got " + wanted.text());
    } else {
      got.forEach(task -> out().println(task + " got " + wanted.text()));
    }
    return worst;
  }

  private static String fault(JsonNode task) {
    String said = task.path("fault").asText();
    String name = "task " + task.path("task").asText();
    return said.startsWith(name) ? said : name + ": " + said;
  }
}
