package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.remuda.coordinator.cli.output.ElapsedTime;
import io.remuda.coordinator.cli.output.EpochText;
import io.remuda.coordinator.cli.output.TextTable;
import io.remuda.coordinator.cli.server.RestCommand;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists jobs, newest last. */
@Command(
    name = "state",
    aliases = {"list", "ls", "queue", "ps", "status"},
    description = "Lists the jobs that have not ended, or all jobs.")
public final class StateCommand extends RestCommand {

  private static final int SHOWN = 200;
  private static final int PAGE = 1000;

  @Option(
      names = {"-a", "--all"},
      description = "also jobs that have ended")
  private boolean all;

  @Option(names = "--user", paramLabel = "NAME", description = "only this user's jobs")
  private String user;

  @Override
  protected int ask(RestClient server) throws IOException {
    ArrayNode jobs = RestClient.JSON.createArrayNode();
    String before = "";
    int most = json ? Integer.MAX_VALUE : SHOWN;
    boolean more = true;
    while (more && jobs.size() < most) {
      JsonNode page = server.get(query(before));
      page.path("jobs").forEach(jobs::add);
      more = page.path("next").isNumber();
      before = page.path("next").asText();
    }
    if (json) {
      printJson(oldestFirst(jobs));
    } else if (quiet) {
      oldestFirst(jobs).forEach(job -> out().println(job.path("id").asText()));
      out().flush();
    } else {
      show(oldestFirst(jobs), more);
    }
    return OK;
  }

  private String query(String before) {
    return "/jobs?limit="
        + (json ? PAGE : SHOWN)
        + (all ? "&all" : "")
        + (user == null ? "" : "&user=" + RestClient.encode(user))
        + (before.isEmpty() ? "" : "&before=" + before);
  }

  private static ArrayNode oldestFirst(ArrayNode jobs) {
    ArrayNode turned = RestClient.JSON.createArrayNode();
    for (int i = jobs.size() - 1; i >= 0; i--) {
      turned.add(jobs.get(i));
    }
    return turned;
  }

  private void show(ArrayNode jobs, boolean more) {
    if (jobs.isEmpty()) {
      out().println(all ? "no jobs" : "all jobs have ended (see --all)");
      out().flush();
      return;
    }
    Instant now = Instant.now();
    TextTable table =
        new TextTable("JOB", "STATE", "TASKS", "SUBMITTED", "RAN", "USER", "NAME", "REASON");
    for (JsonNode job : jobs) {
      table.row(
          job.path("id").asText(),
          job.path("state").asText(),
          job.path("tasks").asText(),
          ElapsedTime.of(text(job, "submittedAt"), now),
          ElapsedTime.span(text(job, "startedAt"), text(job, "endedAt"), now),
          job.path("user").asText(),
          job.path("name").asText(),
          EpochText.withReason(job, now));
    }
    print(table);
    if (more) {
      out().println("these are the newest " + jobs.size() + "; --json lists all");
      out().flush();
    }
  }
}
