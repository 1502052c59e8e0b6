package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.select.ChosenJob;
import io.remuda.coordinator.cli.select.JobFinder;
import io.remuda.coordinator.cli.select.NumberedTask;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.cli.words.DryRunLines;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.jobfield.SubmissionRows;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Submits a job again, or some of its tasks. */
@Command(
    name = "resubmit",
    description =
        "Submits a job again, with its command, environment and parameters, and prints the number"
            + " of the new one. JOB.2-4 or JOB_[2,5] means some of its tasks, as everywhere. Options"
            + " change it; a command after the job takes the place of its command.",
    customSynopsis = "remuda resubmit [OPTIONS] JOB[.TASKS] [-- CMD ARGS...]")
public final class ResubmitCommand extends ServerCommandBase {

  @Option(
      names = "--failed",
      description =
          "only the tasks that have failed or were lost, with their parameters and indices")
  private boolean failed;

  @Option(
      names = "--unsuccessful",
      description =
          "only the tasks that did not succeed: as --failed, and those that were cancelled, by"
              + " --max-fails or by somebody")
  private boolean unsuccessful;

  @Option(
      names = "--with-dependents",
      description = "also the jobs that were cancelled because of it")
  private boolean withDependents;

  @Option(
      names = "--dry-run",
      description = "only check whether it would be accepted, and print what would run again")
  private boolean dryRun;

  @Mixin private JobOptions job;

  @Override
  protected int ask(RestClient server) throws IOException {
    if (job.command.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "no job is named: give " + JobFinder.ONE);
    }
    String selector = job.command.get(0);
    job.command = job.command.subList(1, job.command.size());
    List<ChosenJob> chosen = JobFinder.look(server, List.of(selector)).told(err());
    if (chosen.stream().map(ChosenJob::id).distinct().count() != 1) {
      throw new ParameterException(
          spec.commandLine(), "resubmit accepts one job, or tasks of one, got '" + selector + "'");
    }
    JsonNode answer =
        chosen.size() == 1
            ? NumberedTask.ask(server, chosen.get(0), one -> resubmit(server, List.of(one)))
            : resubmit(server, chosen);
    if (json) {
      printJson(answer);
    } else if (dryRun && !quiet) {
      DryRunLines.of(answer.path("planned")).forEach(out()::println);
    } else if (!dryRun) {
      answer.path("ids").forEach(id -> out().println(id.asText()));
    }
    out().flush();
    return OK;
  }

  private JsonNode resubmit(RestClient server, List<ChosenJob> chosen) throws IOException {
    String tasks =
        chosen.stream()
            .filter(one -> one.task() != null)
            .map(one -> Integer.toString(one.task()))
            .collect(Collectors.joining(","));
    if ((tasks.isEmpty() ? 0 : 1) + (failed ? 1 : 0) + (unsuccessful ? 1 : 0) > 1) {
      throw new ParameterException(
          spec.commandLine(), "give one of --failed, --unsuccessful and numbers of tasks");
    }
    String path = "/jobs/" + chosen.get(0).id() + "/resubmit" + (dryRun ? "?dryRun" : "");
    return server.post(path, request(tasks));
  }

  private Map<String, Object> request(String tasks) {
    Map<String, Object> request = new LinkedHashMap<>();
    Map<String, Object> changes = job.changes();
    for (String field : List.of("array", "lines", "entries", "params", "count")) {
      if (changes.containsKey(field)) {
        throw new ParameterException(
            spec.commandLine(), "resubmit keeps the tasks of a job: submit a new one for others");
      }
    }
    JobOptions.put(request, "failed", failed ? true : null);
    JobOptions.put(request, "unsuccessful", unsuccessful ? true : null);
    JobOptions.put(request, "tasks", tasks.isEmpty() ? null : tasks);
    JobOptions.put(request, "withDependents", withDependents ? true : null);
    JobOptions.put(request, "changes", changes.isEmpty() ? null : changes);
    String key = job.given.get(SubmissionRows.CLIENT_KEY);
    request.put("clientKey", key == null ? UUID.randomUUID().toString() : key);
    return request;
  }
}
