package io.remuda.coordinator.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.actor.WaitText;
import io.remuda.coordinator.cli.output.Ago;
import io.remuda.coordinator.cli.output.Table;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists what types of jobs were measured to need of a GPU. */
@Command(
    name = "profiles",
    description = "Lists what jobs with --gpu-mem auto were measured to need of a GPU, by type.",
    subcommands = ProfilesCommand.Forget.class)
final class ProfilesCommand extends Verb {

  @Override
  int ask(RestClient server) throws IOException {
    JsonNode profiles = server.get("/profiles").path("profiles");
    if (json) {
      printJson(profiles);
      return OK;
    }
    if (profiles.isEmpty()) {
      out().println("nothing was measured yet");
      out().flush();
      return OK;
    }
    Table table =
        new Table(
            "TYPE", "USER", "RUNS", "RESERVED", "MEDIAN", "P95", "MOST", "GPU", "TIME", "UPDATED");
    for (JsonNode profile : profiles) {
      table.row(
          profile.path("type").asText(),
          profile.path("user").asText(),
          profile.path("runs").asText(),
          bytes(profile.path("reservationBytes")),
          bytes(profile.path("medianBytes")),
          bytes(profile.path("p95Bytes")),
          bytes(profile.path("mostBytes")),
          profile.path("gpuPercent").isNull() ? "" : profile.path("gpuPercent").asText() + " %",
          seconds(profile.path("seconds")),
          Ago.of(profile.path("updatedAt").asText(), Instant.now()));
    }
    print(table);
    return OK;
  }

  private static String bytes(JsonNode bytes) {
    return bytes.isNull() ? "" : WaitText.bytes(bytes.asLong());
  }

  private static String seconds(JsonNode seconds) {
    return seconds.isNull() ? "" : String.format(Locale.ROOT, "%.1f s", seconds.asDouble());
  }

  /** Has a type measured again. */
  @Command(name = "forget", description = "Has the next job of a type measured again.")
  static final class Forget extends Verb {

    @Parameters(paramLabel = "TYPE", description = "as remuda profiles shows it")
    private String type;

    @Option(
        names = "--user",
        paramLabel = "NAME",
        description = "whose it is, if not yours; for the owner of the server")
    private String user;

    @Override
    int ask(RestClient server) throws IOException {
      server.post(
          "/profiles/forget",
          user == null ? Map.of("type", type) : Map.of("type", type, "user", user));
      if (!quiet) {
        out().println("forgot what '" + type + "' needs");
        out().flush();
      }
      return OK;
    }
  }
}
