package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.remuda.coordinator.cli.option.FieldOptions;
import io.remuda.coordinator.cli.select.ChosenJob;
import io.remuda.coordinator.cli.select.JobFilters;
import io.remuda.coordinator.cli.select.JobFinder;
import io.remuda.coordinator.cli.select.NumberedTask;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.jobfield.JobField;
import io.remuda.coordinator.jobfield.TimeRows;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Changes the terms of a job that has not ended. */
@Command(
    name = "set",
    description =
        "Changes jobs that have not ended. What its tasks need can change while all of them wait;"
            + " the time limit also while they run, counted from their starts; when it starts while"
            + " none of them has begun.")
public final class SetCommand extends ServerCommandBase {

  @Parameters(arity = "1..*", paramLabel = "JOB", description = JobFinder.JOBS)
  private List<String> selectors = new ArrayList<>();

  private final FieldOptions given = FieldOptions.toSet();
  @Mixin private final CommandSpec ofFields = given.mixin();

  @Override
  protected int ask(RestClient server) throws IOException {
    Map<String, Object> fields = fields();
    if (fields.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "nothing is to be changed: give an option, as --priority 5");
    }
    List<ChosenJob> jobs = chosen(server);
    ArrayNode answers = RestClient.JSON.createArrayNode();
    int worst = OK;
    for (ChosenJob job : jobs) {
      try {
        JsonNode answer =
            NumberedTask.ask(
                server, job, one -> server.post(whole(one, job).path() + "/set", fields));
        answers.add(answer);
        if (!json) {
          say("job " + answer.path("id").asText() + " is changed" + ending(answer));
        }
      } catch (RestFailureException no) {
        if (jobs.size() == 1 || no.status() == RestFailureException.NO_SERVER) {
          throw no;
        }
        err().println("remuda: " + PrintableText.of(inWords(no)));
        worst = FAILURE;
      }
    }
    if (json) {
      printJson(answers.size() == 1 ? answers.get(0) : answers);
    }
    return worst;
  }

  private List<ChosenJob> chosen(RestClient server) throws IOException {
    List<ChosenJob> jobs =
        JobFinder.of(server, selectors, new JobFilters(), JobFinder.Purpose.CHANGE).told(err());
    for (ChosenJob job : jobs) {
      if (job.task() != null) {
        throw new ParameterException(
            spec.commandLine(), "set changes whole jobs, got " + job.words());
      }
    }
    if (jobs.isEmpty() && !quiet) {
      err().println("remuda: nothing to set");
      err().flush();
    }
    return jobs;
  }

  private ChosenJob whole(ChosenJob one, ChosenJob named) {
    if (one.task() == null) {
      return one;
    }
    throw new ParameterException(
        spec.commandLine(), NumberedTask.wholeJobs("set", "" + named.id(), one));
  }

  private static String ending(JsonNode answer) {
    int ending = answer.path("ending").asInt();
    return ending == 0
        ? ""
        : "; "
            + (ending == 1 ? "a task has" : ending + " tasks have")
            + " passed the new time limit already and will be ended now";
  }

  private static List<String> jobs(List<String> named) {
    List<String> jobs = named.stream().filter(job -> !job.isBlank()).toList();
    return jobs.equals(List.of("none")) ? List.of() : jobs;
  }

  private Map<String, Object> fields() {
    Map<String, Object> fields = given.values();
    JobOptions.checkAfter(given, fields.containsKey("after"));
    JobOptions.putTimes(fields, given);
    for (JobField<List<String>> after : List.of(TimeRows.AFTER, TimeRows.AFTER_ONE_OF)) {
      fields.computeIfPresent(after.name(), (name, named) -> jobs(given.get(after)));
    }
    return fields;
  }
}
