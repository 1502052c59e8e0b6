package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.coordinator.cli.select.ChosenJob;
import io.remuda.coordinator.cli.select.JobFinder;
import io.remuda.coordinator.cli.select.NumberedTask;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.cli.waiting.PastWaitText;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows why a job waits. */
@Command(
    name = "explain",
    description =
        "Shows why jobs wait, node by node, and what they have waited for. Several follow each other; with --json they are a list.")
public final class ExplainCommand extends ServerCommandBase {

  private static final int SHOWN = 20;
  private static final int NOT_FOUND = 404;

  @Parameters(arity = "1..*", paramLabel = "JOB", description = JobFinder.JOBS)
  private List<String> selectors = new ArrayList<>();

  @Override
  protected int ask(RestClient server) throws IOException {
    List<ChosenJob> jobs = JobFinder.look(server, selectors).told(err());
    ArrayNode all = RestClient.JSON.createArrayNode();
    Map<Long, JsonNode> explained = new LinkedHashMap<>();
    for (ChosenJob job : jobs) {
      if (!explained.containsKey(job.id())) {
        NumberedTask.ask(server, job, one -> explain(server, one.id(), explained));
      }
    }
    all.addAll(explained.values());
    if (json) {
      printJson(all.size() == 1 ? all.get(0) : all);
    }
    return OK;
  }

  /** Explains a job, unless it has been explained. */
  private JsonNode explain(RestClient server, long id, Map<Long, JsonNode> explained)
      throws IOException {
    JsonNode why = explained.get(id);
    if (why == null) {
      why = server.get("/jobs/" + id + "/explain");
      JsonNode waited = waited(server, id);
      explained.put(id, why);
      if (json && why instanceof ObjectNode all) {
        all.set("waited", waited.path("reasons"));
        all.set("waitedSince", waited.path("since"));
      } else {
        print(id, why, waited);
      }
    }
    return why;
  }

  /** Returns why a job has waited; nothing if that is not kept, as by an earlier server. */
  private static JsonNode waited(RestClient server, long id) throws IOException {
    try {
      return server.get("/jobs/" + id + "/waiting");
    } catch (RestFailureException notKept) {
      if (notKept.status() == NOT_FOUND) {
        ObjectNode nothing = RestClient.JSON.createObjectNode();
        nothing.putArray("reasons");
        nothing.putNull("since");
        return nothing;
      }
      throw notKept;
    }
  }

  private static String is(String state) {
    return switch (state) {
      case "succeeded", "failed" -> " ";
      case "cancelled", "lost" -> " was ";
      default -> " is ";
    };
  }

  private void print(long id, JsonNode why, JsonNode waited) {
    List<String> counts = new ArrayList<>();
    why.path("counts")
        .properties()
        .forEach(count -> counts.add(count.getValue().asText() + " " + count.getKey()));
    out()
        .println(
            "job "
                + id
                + is(why.path("state").asText())
                + why.path("state").asText()
                + (counts.size() > 1 ? " (" + String.join(", ", counts) + ")" : ""));
    JsonNode text = why.path("text");
    for (int i = 0; i < Math.min(SHOWN, text.size()); i++) {
      out().println("  " + PrintableText.of(text.get(i).asText()));
    }
    if (text.size() > SHOWN) {
      out().println("  and " + (text.size() - SHOWN) + " more: see --json");
    }
    PastWaitText.of(waited, ZonedDateTime.now(ZoneId.systemDefault()))
        .ifPresent(line -> out().println("  " + line));
    out().flush();
  }
}
