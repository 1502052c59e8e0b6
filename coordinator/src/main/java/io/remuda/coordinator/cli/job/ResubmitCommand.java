package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.select.ChosenJob;
import io.remuda.coordinator.cli.select.JobChoice;
import io.remuda.coordinator.cli.server.RestCommand;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Submits a job again, or some of its tasks. */
@Command(
    name = "resubmit",
    description =
        "Submits a job again, with its command, environment and parameters, and prints the number"
            + " of the new one. Options change it; a command after the job takes the place of its"
            + " command.",
    customSynopsis = "remuda resubmit [OPTIONS] JOB [-- CMD ARGS...]")
public final class ResubmitCommand extends RestCommand {

  @Option(
      names = "--failed",
      description =
          "only the tasks that have failed, and those that --max-fails cancelled, with their"
              + " parameters and indices")
  private boolean failed;

  @Option(
      names = "--with-dependents",
      description = "also the jobs that were cancelled because of it")
  private boolean withDependents;

  @Mixin private JobOptions job;

  @Override
  protected int ask(RestClient server) throws IOException {
    if (job.command.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "no job is named: give " + JobChoice.ONE);
    }
    String selector = job.command.get(0);
    job.command = job.command.subList(1, job.command.size());
    ChosenJob chosen = JobChoice.one(server, selector);
    if (chosen.task() != null) {
      throw new ParameterException(
          spec.commandLine(), "resubmit takes a whole job, or with --failed a part of it");
    }
    JsonNode answer = server.post(chosen.path() + "/resubmit", request());
    if (json) {
      printJson(answer);
    } else {
      answer.path("ids").forEach(id -> out().println(id.asText()));
    }
    out().flush();
    return OK;
  }

  private Map<String, Object> request() {
    Map<String, Object> request = new LinkedHashMap<>();
    Map<String, Object> changes = job.changes();
    for (String field : List.of("array", "lines", "entries", "params", "count")) {
      if (changes.containsKey(field)) {
        throw new ParameterException(
            spec.commandLine(), "resubmit keeps the tasks of a job: submit a new one for others");
      }
    }
    JobOptions.put(request, "failed", failed ? true : null);
    JobOptions.put(request, "withDependents", withDependents ? true : null);
    JobOptions.put(request, "changes", changes.isEmpty() ? null : changes);
    request.put("clientKey", job.key == null ? UUID.randomUUID().toString() : job.key);
    return request;
  }
}
