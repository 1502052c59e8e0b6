package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.remuda.coordinator.cli.placement.AfterOneOfOption;
import io.remuda.coordinator.cli.placement.BeginTime;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
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

  @Option(
      names = {"-p", "--priority"},
      paramLabel = "P",
      description = "jobs of higher priority start first")
  private Integer priority;

  @Option(names = "--first", description = "start before your other waiting jobs of equal priority")
  private boolean first;

  @Option(
      names = {"-t", "--time-limit"},
      paramLabel = "D",
      description = "time limit of each attempt, such as 90s, 6h, 1d")
  private String timeLimit;

  @Option(
      names = "--job-time-limit",
      paramLabel = "D",
      description = "time limit of the whole job from the start of its first task")
  private String jobTimeLimit;

  @Option(names = "--max-running", paramLabel = "N", description = "run at most N tasks at once")
  private Integer maxRunning;

  @Option(
      names = "--max-fails",
      paramLabel = "N",
      description = "cancel the other tasks once N have failed")
  private Integer maxFails;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description = "how often a task may run again; 0: never, not with more memory either")
  private Integer retries;

  @Option(
      names = {"-c", "--cpus"},
      paramLabel = "C",
      description = "CPU cores of each task")
  private Double cpus;

  @Option(names = "--mem", paramLabel = "SIZE", description = "memory of each task")
  private String mem;

  @Option(
      names = {"-G", "--gpus"},
      paramLabel = "G",
      description = "GPUs of each task")
  private Integer gpus;

  @Option(names = "--gpu-mem", paramLabel = "SIZE", description = "memory of each of its GPUs")
  private String gpuMem;

  @Option(names = "--gpu-model", paramLabel = "TEXT", description = "part of the GPUs' model")
  private String gpuModel;

  @Option(
      names = "--begin",
      paramLabel = "TIME",
      description = "start no task before this time: now, 22:00, now+2h, tomorrow 06:00")
  private String begin;

  @Option(
      names = "--after",
      paramLabel = "JOB[:ok|any|fail|each]",
      split = ",",
      description =
          "start after these jobs and no others, as 2:ok,1:any or repeated; none: after no job")
  private List<String> after;

  @Mixin private AfterOneOfOption afterOne;

  @Option(
      names = {"-J", "--name"},
      paramLabel = "TEXT",
      description = "name of the job in lists")
  private String name;

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
    Map<String, Object> fields = new LinkedHashMap<>();
    JobOptions.put(fields, "priority", priority);
    JobOptions.put(fields, "first", first ? true : null);
    JobOptions.put(fields, "timeLimit", timeLimit);
    JobOptions.put(fields, "jobTimeLimit", jobTimeLimit);
    JobOptions.put(fields, "maxRunning", maxRunning);
    JobOptions.put(fields, "maxFails", maxFails);
    JobOptions.put(fields, "retries", retries);
    JobOptions.put(fields, "cpus", cpus);
    JobOptions.put(fields, "mem", mem);
    JobOptions.put(fields, "gpus", gpus);
    JobOptions.put(fields, "gpuMem", gpuMem);
    JobOptions.put(fields, "gpuModel", gpuModel);
    JobOptions.put(fields, "begin", BeginTime.option(begin, spec));
    JobOptions.put(fields, "after", after == null ? null : jobs(after));
    List<String> some = afterOne.jobs(after != null);
    JobOptions.put(fields, "afterOneOf", some == null ? null : jobs(some));
    JobOptions.put(fields, "name", name);
    return fields;
  }
}
