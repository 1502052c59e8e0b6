package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.output.ElapsedTime;
import io.remuda.coordinator.cli.output.EpochText;
import io.remuda.coordinator.cli.output.TextTable;
import io.remuda.coordinator.cli.select.JobChoice;
import io.remuda.coordinator.cli.server.RestCommand;
import io.remuda.coordinator.client.RestClient;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.Quantities;
import io.remuda.worker.job.ResourceRequest;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows one job with its tasks. */
@Command(name = "show", description = "Shows one job with its tasks.")
public final class ShowCommand extends RestCommand {

  /** Length of a UUID as drivers report it, such as {@code GPU-1c5b2f1e-…}. */
  private static final int DRIVERS_UUID = 40;

  private static final int BEGINNING = 12;

  @Parameters(paramLabel = "JOB", description = JobChoice.WAYS)
  private String selector;

  @Override
  protected int ask(RestClient server) throws IOException {
    JsonNode job = server.get("/jobs/" + JobChoice.one(server, selector).id());
    if (json) {
      printJson(job);
      return OK;
    }
    Instant now = Instant.now();
    line("job", job.path("id").asText() + "  " + job.path("name").asText());
    line(
        "state",
        job.path("state").asText()
            + (text(job, "reason") == null ? "" : ": " + text(job, "reason")));
    line("user", text(job, "user"));
    boolean failed = job.path("state").asText().equals("failed");
    boolean itsOwn = !failed || job.path("exitCode").asInt() != 0; // else of a task that succeeded
    if (itsOwn && !job.path("state").asText().equals("cancelled")) { // it was SIGTERM's doing
      line("exit code", text(job, "exitCode"));
    }
    line("submitted", ElapsedTime.of(text(job, "submittedAt"), now));
    line("ran", ElapsedTime.span(text(job, "startedAt"), text(job, "endedAt"), now));
    line("command", command(job.path("workload")));
    line("folder", text(job.path("workload"), "folder"));
    line("container", container(job.path("workload").path("container")));
    JsonNode roles = job.path("terms").path("members").path("roles");
    if (roles.isEmpty()) {
      line(
          "each task",
          needs(job.path("needs"), job.path("terms").path("training").path("maxGpus").asInt()));
    }
    for (JsonNode role : roles) {
      line("role", role(role));
    }
    line("gang", gang(job.path("terms")));
    line("limits", limits(job.path("terms")));
    line("type", text(job.path("terms"), "type"));
    for (String note : notes(server, job)) {
      line("note", note);
    }
    line("epochs", EpochText.words(job, now));
    line("preempted", preempted(job));
    line("uuid", text(job, "uuid"));
    tasks(job, now);
    return OK;
  }

  /** Returns what its user should know about its type, if that is measured. */
  private static List<String> notes(RestClient server, JsonNode job) throws IOException {
    List<String> notes = new ArrayList<>();
    if (job.path("needs").path("gpuMemory").asLong() == ResourceRequest.AUTO) {
      for (JsonNode profile : server.get("/profiles").path("profiles")) {
        boolean its =
            profile.path("type").equals(job.path("terms").path("type"))
                && profile.path("user").equals(job.path("user"));
        notes.addAll(its ? ProfileNotes.of(profile) : List.of());
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
        + needs(role.path("needs"), 0);
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
      limits.add("at most " + terms.path("maxRunning").asInt() + " tasks at once");
    }
    if (terms.path("timeLimitMillis").asLong() > 0) {
      limits.add(Quantities.words(terms.path("timeLimitMillis").asLong()) + " for each task");
    }
    if (terms.path("jobTimeLimitMillis").asLong() > 0) {
      limits.add(Quantities.words(terms.path("jobTimeLimitMillis").asLong()) + " for the job");
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
            + Quantities.words(millis)
            + " of running that count as lost";
  }

  private static String command(JsonNode workload) {
    List<String> words = new ArrayList<>();
    workload.path("argv").forEach(word -> words.add(word.asText()));
    return String.join(" ", words);
  }

  private static String joined(JsonNode names) {
    List<String> all = new ArrayList<>();
    names.forEach(name -> all.add(name.asText()));
    return String.join(", ", all);
  }

  private static String needs(JsonNode needs, int maxGpus) {
    List<String> parts = new ArrayList<>();
    parts.add(needs.path("cpus").asText() + " CPUs");
    if (needs.path("memory").asLong() > 0) {
      parts.add((needs.path("memory").asLong() >> 20) + " MiB");
    }
    if (needs.path("gpus").asInt() > 0) {
      parts.add((maxGpus > 1 ? "1 to " + maxGpus : needs.path("gpus").asText()) + " GPUs");
    }
    if (needs.path("gpuMemory").asLong() == ResourceRequest.AUTO) {
      parts.add("as much of each GPU as its type needs");
    } else if (needs.path("gpuMemory").asLong() > 0) {
      parts.add((needs.path("gpuMemory").asLong() >> 20) + " MiB of each GPU");
    }
    if (needs.path("perGpu").asInt() == 1) {
      parts.add("no other task on its GPUs");
    } else if (needs.path("perGpu").asInt() > 1) {
      parts.add("at most " + needs.path("perGpu").asInt() + " tasks on each GPU");
    }
    needs
        .path("resources")
        .fields()
        .forEachRemaining(one -> parts.add(one.getValue() + " " + one.getKey()));
    if (needs.has("nodes")) {
      parts.add("only on " + joined(needs.path("nodes")));
    }
    if (needs.has("excludeNodes")) {
      parts.add("not on " + joined(needs.path("excludeNodes")));
    }
    return String.join(", ", parts);
  }

  private void tasks(JsonNode job, Instant now) {
    if (job.path("attempts").isEmpty()) {
      return;
    }
    TextTable table =
        new TextTable(
            "TASK",
            "STATE",
            "TRY",
            "NODE",
            "GPUS",
            "RAN",
            "EXIT",
            "PEAK MIB",
            "CPU S",
            "CPU %",
            "GPU %",
            "GPU MIB",
            "CAUSE");
    for (JsonNode task : job.path("attempts")) {
      String signal = text(task, "signal");
      table.row(
          task.path("id").asText(),
          task.path("state").asText(),
          task.path("attempt").asText(),
          text(task, "node"),
          devices(task.path("devices")),
          ElapsedTime.span(text(task, "startedAt"), text(task, "endedAt"), now),
          signal == null ? text(task, "exitCode") : "signal " + signal,
          mebibytes(task.path("peakRssBytes")),
          task.path("cpuMillis").isNumber() ? task.path("cpuMillis").asLong() / 100 / 10.0 : null,
          text(task, "cpuPercent"),
          gpuPercent(task),
          mebibytes(task.path("gpuPeakBytes")),
          text(task, "cause"));
    }
    out().println();
    print(table);
    if (job.path("moreAttempts").asBoolean()) {
      out()
          .printf(
              "the first %d of those that have begun; all %d tasks: remuda show --json, or GET"
                  + " /jobs/%s/tasks%n",
              job.path("attempts").size(), job.path("tasks").asInt(), job.path("id").asText());
      out().flush();
    }
  }

  private static Long mebibytes(JsonNode bytes) {
    return bytes.isNumber() ? bytes.asLong() >> 20 : null;
  }

  /** Returns mean and highest utilisation, as {@code 40/97}; null if they are not known. */
  private static String gpuPercent(JsonNode task) {
    String mean = text(task, "gpuPercent");
    return mean == null ? null : mean + "/" + text(task, "gpuMostPercent");
  }

  /** Returns the beginnings of the UUIDs: {@code GPU-} and eight digits. */
  private static String devices(JsonNode uuids) {
    List<String> parts = new ArrayList<>();
    uuids.forEach(uuid -> parts.add(beginning(uuid.asText())));
    return String.join(",", parts);
  }

  private static String beginning(String uuid) {
    return uuid.length() == DRIVERS_UUID ? uuid.substring(0, BEGINNING) : uuid;
  }
}
