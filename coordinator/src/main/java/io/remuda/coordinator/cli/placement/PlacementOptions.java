package io.remuda.coordinator.cli.placement;

import io.remuda.agent.commandline.Caller;
import io.remuda.worker.job.JobDependency;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that choose nodes, which become the fields of the HTTP interface. */
public final class PlacementOptions {

  @Option(
      names = "--node",
      paramLabel = "NAME",
      split = ",",
      description = "run only on this node or these, as a1,a2; may be repeated")
  private List<String> nodes = new ArrayList<>();

  @Option(
      names = "--exclude",
      paramLabel = "NAME",
      split = ",",
      description = "run on none of these nodes; may be repeated")
  private List<String> excluded = new ArrayList<>();

  @Option(
      names = "--resource",
      paramLabel = "NAME=N",
      description =
          "N of a counted resource of its node or of the cluster for each task, as lic=2; may be"
              + " repeated")
  private List<String> resources = new ArrayList<>();

  @Option(
      names = "--begin",
      paramLabel = "TIME",
      description =
          "start no task before this time of this machine: 22:00, now+2h, tomorrow 06:00,"
              + " '2026-11-26 22:00'")
  private String begin;

  @Option(
      names = "--after-each",
      paramLabel = "JOB",
      split = ",",
      description =
          "start each task once the task of the same number of that job has succeeded, as --after"
              + " JOB:each; may be repeated")
  private List<String> afterEach = new ArrayList<>();

  @Option(
      names = "--notify",
      paramLabel = "URL|ADDRESS|PROGRAM",
      description =
          "tell this URL (JSON by POST), mail address, or, as the owner of the server, program what"
              + " happens to the job")
  private String notify;

  @Option(
      names = "--notify-on",
      paramLabel = "WHAT",
      split = ",",
      description = "what is told: end (default), fail, start, or several as start,fail")
  private List<String> notifyOn = new ArrayList<>();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * Returns the jobs that it starts after, with those that it follows task by task.
   *
   * @throws ParameterException if one of these is given with an outcome
   */
  public List<String> after(List<String> others) {
    List<String> all = new ArrayList<>(others);
    for (String job : afterEach) {
      if (job.matches(".*:(" + JobDependency.OUTCOMES + ")")) {
        throw new ParameterException(
            spec.commandLine(),
            "--after-each takes the number or name of a job without an outcome, since each task"
                + " waits for the success of one; got '"
                + job
                + "': for other outcomes use --after JOB:ok|any|fail");
      }
      all.add(job + ":each");
    }
    return all;
  }

  /**
   * Returns the fields that were given.
   *
   * @throws ParameterException if the time to begin is none
   */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (begin != null) {
      fields.put("begin", BeginTime.option(begin, spec));
    }
    if (notify != null) {
      fields.put("notifyTo", notify.matches("\\.{1,2}/.*") ? absolute(notify) : notify);
    }
    put(fields, "notifyOn", notifyOn);
    put(fields, "nodes", nodes);
    put(fields, "excludeNodes", excluded);
    put(fields, "resources", resources);
    return fields;
  }

  private String absolute(String program) {
    return Path.of(Caller.of(spec).folder()) + "/" + program;
  }

  private static void put(Map<String, Object> fields, String field, List<String> values) {
    if (!values.isEmpty()) {
      fields.put(field, values);
    }
  }
}
