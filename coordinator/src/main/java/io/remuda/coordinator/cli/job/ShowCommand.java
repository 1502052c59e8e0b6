package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.coordinator.cli.output.CountedQuantityText;
import io.remuda.coordinator.cli.output.ElapsedTime;
import io.remuda.coordinator.cli.output.TaskCountText;
import io.remuda.coordinator.cli.output.TrainingProgressText;
import io.remuda.coordinator.cli.select.ChosenJob;
import io.remuda.coordinator.cli.select.JobFinder;
import io.remuda.coordinator.cli.select.NumberedTask;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.cli.show.FetchedJobTasks;
import io.remuda.coordinator.cli.show.JobTermsText;
import io.remuda.coordinator.cli.show.NeedsText;
import io.remuda.coordinator.cli.show.StandardStreamPathText;
import io.remuda.coordinator.cli.show.TaskRange;
import io.remuda.coordinator.cli.show.TaskTable;
import io.remuda.coordinator.cli.sweep.SweepText;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.ShellQuoting;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.SizeAndTimeParser;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows jobs with their tasks. */
@Command(
    name = "show",
    description =
        "Shows jobs with their tasks. Several follow each other; with --json they are a list.")
public final class ShowCommand extends ServerCommandBase {

  @Parameters(arity = "1..*", paramLabel = "JOB", description = JobFinder.WAYS)
  private List<String> selectors = new ArrayList<>();

  @Option(names = "--failed", description = "only tasks that failed or were lost, all of them")
  private boolean failed;

  @Option(
      names = "--tasks",
      paramLabel = "RANGE",
      converter = TaskRange.Converter.class,
      description =
          "these tasks, by their numbers from 0: 5, 3-7 or all; without it the first hundred")
  private TaskRange range;

  @Override
  protected int ask(RestClient server) throws IOException {
    List<ChosenJob> jobs = JobFinder.look(server, selectors).told(err());
    if (json) {
      ArrayNode all = RestClient.JSON.createArrayNode();
      for (ChosenJob one : jobs) {
        JsonNode job = NumberedTask.ask(server, one, meant -> asJson(server, meant));
        all.add(job);
      }
      printJson(all.size() == 1 ? all.get(0) : all);
      return OK;
    }
    String between = "";
    for (ChosenJob one : jobs) {
      out().print(between);
      NumberedTask.ask(server, one, meant -> show(server, meant));
      between = System.lineSeparator();
    }
    out().flush();
    return OK;
  }

  private TaskRange range(ChosenJob chosen) {
    return chosen.task() == null ? range : new TaskRange(chosen.task(), chosen.task() + 1);
  }

  private JsonNode asJson(RestClient server, ChosenJob chosen) throws IOException {
    JsonNode job = server.get("/jobs/" + chosen.id() + "?progress");
    if (range(chosen) == null && !failed) {
      return job;
    }
    FetchedJobTasks list = FetchedJobTasks.read(server, job, kind(), range(chosen));
    return ((ObjectNode) job).put("moreAttempts", list.more()).set("attempts", list.tasks());
  }

  private ChosenJob show(RestClient server, ChosenJob chosen) throws IOException {
    JsonNode job = server.get("/jobs/" + chosen.id() + "?progress");
    FetchedJobTasks list = FetchedJobTasks.read(server, job, kind(), range(chosen));
    Instant now = Instant.now();
    if (chosen.task() != null) {
      task(job, list, chosen, now);
      return chosen;
    }
    line("job", job.path("id").asText() + "  " + job.path("name").asText());
    line(
        "state",
        job.path("state").asText()
            + (text(job, "reason") == null ? "" : ": " + text(job, "reason")));
    if (job.path("tasks").asInt() > 1) {
      line("tasks", TaskCountText.of(job));
    }
    line("hold", JobTermsText.hold(job));
    line("user", text(job, "user"));
    boolean failed = job.path("state").asText().equals("failed");
    boolean itsOwn = !failed || job.path("exitCode").asInt() != 0; // else of a task that succeeded
    if (itsOwn && !job.path("state").asText().equals("cancelled")) { // it was SIGTERM's doing
      line("exit code", text(job, "exitCode"));
    }
    line("submitted", ElapsedTime.of(text(job, "submittedAt"), now));
    line(
        "ran",
        ElapsedTime.ran(text(job, "startedAt"), text(job, "endedAt"), job.path("ranMillis"), now));
    line("ended", ElapsedTime.of(text(job, "endedAt"), now));
    line("command", command(job.path("workload")));
    line("folder", text(job.path("workload"), "folder"));
    for (String stream : List.of("stdin", "output", "error")) {
      line(stream, StandardStreamPathText.words(job, stream));
    }
    line("container", container(job.path("workload").path("container")));
    line("frozen", text(job.path("workload"), "frozenTree"));
    line("pinned", job.path("workload").path("pinned").asBoolean() ? "to CPUs of its own" : null);
    JsonNode roles = job.path("terms").path("members").path("roles");
    if (roles.isEmpty()) {
      line(
          "each task",
          NeedsText.of(
              job.path("needs"), job.path("terms").path("training").path("maxGpus").asInt()));
    }
    for (JsonNode role : roles) {
      line("role", role(role));
    }
    line("sweep", SweepText.axes(job.path("terms").path("array"), job.path("tasks").asInt()));
    line("again of", SweepText.again(job.path("terms").path("array")));
    line("gang", gang(job.path("terms")));
    line("labels", JobTermsText.labels(job));
    line("order", JobTermsText.order(job.path("terms")));
    line("after", JobTermsText.after(job.path("terms")));
    line("then", JobTermsText.then(job));
    line("limits", limits(job.path("terms")));
    line("retries", JobTermsText.retries(job.path("terms")));
    line("notify", JobTermsText.notice(job.path("terms")));
    line("type", text(job.path("terms"), "type"));
    line("comment", text(job.path("terms"), "comment"));
    for (String note : notes(server, job)) {
      line("note", note);
    }
    line("epochs", TrainingProgressText.words(job, now));
    line("preempted", preempted(job));
    line("uuid", text(job, "uuid"));
    tasks(job, list, now);
    return chosen;
  }

  private void task(JsonNode job, FetchedJobTasks list, ChosenJob chosen, Instant now) {
    line("task", chosen.words().replaceFirst("^task ", "") + " of " + job.path("name").asText());
    if (list.tasks().isEmpty()) {
      line("state", "has not started; the job is " + job.path("state").asText());
      line("reason", text(job, "reason"));
      return;
    }
    print(TaskTable.of(list.tasks(), now));
  }

  /** Returns what its user should know about its type, if that is measured. */
  private static List<String> notes(RestClient server, JsonNode job) throws IOException {
    List<String> notes = new ArrayList<>();
    if (job.path("needs").path("gpuMemory").asLong() == ResourceRequest.AUTO) {
      for (JsonNode profile : server.get("/profiles").path("profiles")) {
        boolean its =
            profile.path("type").equals(job.path("terms").path("type"))
                && profile.path("user").equals(job.path("user"));
        notes.addAll(its ? JobTypeProfileNotes.of(profile) : List.of());
      }
    }
    return notes;
  }

  private void line(String name, String value) {
    if (value != null && !value.isEmpty()) {
      out().printf("%-10s %s%n", name, PrintableText.of(value));
      out().flush();
    }
  }

  private static String container(JsonNode container) {
    String engine = text(container, "engine");
    return container.isMissingNode()
        ? null
        : container.path("image").asText() + (engine == null ? "" : ", by " + engine);
  }

  private static String role(JsonNode role) {
    int tasks = role.path("count").asInt() * role.path("completions").asInt(1);
    return role.path("name").asText()
        + ": "
        + tasks
        + (tasks == 1 ? " task with " : " tasks, each with ")
        + NeedsText.of(role.path("needs"), 0);
  }

  /** Returns how its tasks belong together, null if each is for itself. */
  private static String gang(JsonNode terms) {
    JsonNode members = terms.path("members");
    if (members.isMissingNode()) {
      return null;
    }
    String failure =
        switch (members.path("failure").asText()) {
          case "restart" ->
              "if one fails, all start again, " + terms.path("retries").asInt() + " times at most";
          case "ignore" -> "if one fails, the others go on";
          default -> "if one fails, all end";
        };
    return (members.path("together").asBoolean() ? "all start together; " : "") + failure;
  }

  private static String limits(JsonNode terms) {
    List<String> limits = new ArrayList<>();
    if (terms.path("maxRunning").asInt() > 0) {
      limits.add(
          "at most "
              + CountedQuantityText.counted(terms.path("maxRunning").asInt(), "task")
              + " at once");
    }
    if (terms.path("timeLimitMillis").asLong() > 0) {
      limits.add(
          SizeAndTimeParser.words(terms.path("timeLimitMillis").asLong()) + " for each task");
    }
    JsonNode warning = terms.path("ending").path("warning");
    if (warning.isObject()) {
      limits.add(
          warning.path("name").asText()
              + " "
              + SizeAndTimeParser.words(warning.path("leadMillis").asLong())
              + " before");
    }
    if (terms.path("jobTimeLimitMillis").asLong() > 0) {
      limits.add(
          SizeAndTimeParser.words(terms.path("jobTimeLimitMillis").asLong()) + " for the job");
    }
    limits.addAll(SweepText.limits(terms.path("array")));
    if (terms.has("begin")) {
      limits.add("not before " + JobTermsText.at(terms.path("begin")));
    }
    return String.join(", ", limits);
  }

  /** Returns how often its tasks have left their places, null for never. */
  private static String preempted(JsonNode job) {
    long times = 0;
    long millis = 0;
    for (JsonNode task : job.path("attempts")) {
      times += task.path("preemptions").asLong();
      millis += task.path("lostMillis").asLong();
    }
    return times == 0
        ? null
        : times
            + (times == 1 ? " time" : " times")
            + ", after "
            + SizeAndTimeParser.words(millis)
            + " of running that count as lost";
  }

  private static String command(JsonNode workload) {
    List<String> words = new ArrayList<>();
    workload.path("argv").forEach(word -> words.add(ShellQuoting.quoted(word.asText())));
    return String.join(" ", words);
  }

  private void tasks(JsonNode job, FetchedJobTasks list, Instant now) {
    if (!list.tasks().isEmpty()) {
      out().println();
      print(TaskTable.of(list.tasks(), now));
    }
    String footer =
        range == null && job.path("tasks").asInt() > 1 ? list.footer(kind()) : none(list);
    if (!footer.isEmpty()) {
      out().println(footer);
      out().flush();
    }
  }

  private String none(FetchedJobTasks list) {
    return list.tasks().isEmpty() && range != null ? "no task of this range has started" : "";
  }

  private FetchedJobTasks.Kind kind() {
    return failed ? FetchedJobTasks.Kind.FAILED : FetchedJobTasks.Kind.ANY;
  }
}
