package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.cli.output.ElapsedTime;
import io.remuda.coordinator.cli.output.TextTable;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.client.RestClient;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.SizeAndTimeParser;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the measured GPU needs of types of jobs. */
@Command(
    name = "profiles",
    description = "Lists the measured GPU needs of jobs with --gpu-mem auto, by type.",
    subcommands = ProfilesCommand.Forget.class)
public final class ProfilesCommand extends ServerCommandBase {

  @Override
  protected int ask(RestClient server) throws IOException {
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
    TextTable table =
        new TextTable(
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
          ElapsedTime.of(profile.path("updatedAt").asText(), Instant.now()));
    }
    print(table);
    profiles.forEach(profile -> JobTypeProfileNotes.of(profile).forEach(out()::println));
    profiles.forEach(profile -> epochs(profile).ifPresent(out()::println));
    apart(profiles).forEach(out()::println);
    out().flush();
    return OK;
  }

  /** Returns a line on what the epochs of a type took; empty for one without trainings. */
  static Optional<String> epochs(JsonNode profile) {
    List<String> parts = new ArrayList<>();
    for (JsonNode time : profile.path("epochs")) {
      int gpus = time.path("gpus").asInt();
      String on = gpus == 0 ? "without a GPU" : "on " + gpus + " × " + time.path("model").asText();
      parts.add(SizeAndTimeParser.words(time.path("millis").asLong()) + " " + on);
    }
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            PrintableText.of(
                "an epoch of "
                    + JobTypeProfileNotes.type(profile)
                    + " takes "
                    + String.join(", ", parts)));
  }

  /** Returns one line for each pair of types that do not share a GPU. */
  static Collection<String> apart(JsonNode profiles) {
    Map<Set<String>, String> lines = new LinkedHashMap<>();
    for (JsonNode profile : profiles) {
      String one = JobTypeProfileNotes.type(profile);
      for (JsonNode with : profile.path("slowWith")) {
        String other = JobTypeProfileNotes.type(with);
        String who = one.equals(other) ? "two of " + one : one + " and " + other;
        int percent = with.path("togetherPercent").asInt();
        String line = who + " do not share a GPU: " + WaitText.together(percent);
        lines.putIfAbsent(new TreeSet<>(List.of(one, other)), line);
      }
    }
    return lines.values();
  }

  private static String bytes(JsonNode bytes) {
    return bytes.isNull() ? "" : WaitText.bytes(bytes.asLong());
  }

  private static String seconds(JsonNode seconds) {
    return seconds.isNull() ? "" : String.format(Locale.ROOT, "%.1f s", seconds.asDouble());
  }

  /** Deletes the measurements of a type. */
  @Command(
      name = "forget",
      description = "Deletes the measurements of a type; its next job is measured again.")
  static final class Forget extends ServerCommandBase {

    @Parameters(paramLabel = "TYPE", description = "type as listed by remuda profiles")
    private String type;

    @Option(
        names = "--user",
        paramLabel = "NAME",
        description = "another user's type; only for the owner of the server")
    private String user;

    @Override
    protected int ask(RestClient server) throws IOException {
      server.post(
          "/profiles/forget",
          user == null ? Map.of("type", type) : Map.of("type", type, "user", user));
      if (!quiet) {
        out().println("forgot what '" + PrintableText.of(type) + "' needs");
        out().flush();
      }
      return OK;
    }
  }
}
