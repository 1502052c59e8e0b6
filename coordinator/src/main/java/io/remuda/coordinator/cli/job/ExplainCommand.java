package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.select.JobChoice;
import io.remuda.coordinator.cli.server.RestCommand;
import io.remuda.coordinator.client.RestClient;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows why a job waits. */
@Command(name = "explain", description = "Shows why a job waits, node by node.")
public final class ExplainCommand extends RestCommand {

  private static final int SHOWN = 20;

  @Parameters(paramLabel = "JOB", description = JobChoice.WAYS)
  private String selector;

  @Override
  protected int ask(RestClient server) throws IOException {
    long id = JobChoice.one(server, selector).id();
    JsonNode why = server.get("/jobs/" + id + "/explain");
    if (json) {
      printJson(why);
      return OK;
    }
    List<String> counts = new ArrayList<>();
    why.path("counts")
        .properties()
        .forEach(count -> counts.add(count.getValue().asText() + " " + count.getKey()));
    out()
        .println(
            "job "
                + id
                + " is "
                + why.path("state").asText()
                + (counts.size() > 1 ? " (" + String.join(", ", counts) + ")" : ""));
    JsonNode text = why.path("text");
    for (int i = 0; i < Math.min(SHOWN, text.size()); i++) {
      out().println("  " + PrintableText.of(text.get(i).asText()));
    }
    if (text.size() > SHOWN) {
      out().println("  and " + (text.size() - SHOWN) + " more: see --json");
    }
    out().flush();
    return OK;
  }
}
