package io.remuda.coordinator.cli.manual;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.client.RequestEnd;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Prints what the script of the shell completes words with, one in a line. It asks a server that
 * runs, starts none, and prints nothing if there is none or if something fails.
 */
@Command(name = "complete", hidden = true, description = "Prints words that a shell completes.")
public final class CompleteCommand implements Callable<Integer> {

  private static final int MOST_JOBS = 200;

  /** A shell waits for the words, and its user for the shell. */
  private static final Duration LONGEST = Duration.ofSeconds(3);

  /** Names that need no quotes in a shell and mean no number. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9._+-]*");

  private static final Pattern PLAIN_NODE = Pattern.compile("[A-Za-z0-9._:+-]+");

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "KIND", description = "jobs, all-jobs, nodes or users")
  private String kind;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (RestClient server = RestClient.of(Caller.of(spec).paths().state())) {
      words(server).forEach(out::println);
    } catch (IOException | RuntimeException silent) {
      return CommandLine.ExitCode.OK; // a message would disturb the line that is being typed
    }
    out.flush();
    return CommandLine.ExitCode.OK;
  }

  private Set<String> words(RestClient running) throws IOException {
    RestClient server = running.until(RequestEnd.in(LONGEST));
    return switch (kind) {
      case "jobs" ->
          jobs(server.get("/jobs?limit=" + MOST_JOBS).path("jobs"), List.of("all", "last"));
      case "all-jobs" ->
          jobs(server.get("/jobs?all&limit=" + MOST_JOBS).path("jobs"), List.of("last"));
      case "nodes" -> names(server.get("/nodes").path("nodes"), PLAIN_NODE);
      case "users" -> names(server.get("/users").path("users"), PLAIN);
      default -> Set.of();
    };
  }

  /** Returns the numbers of jobs, their names, and words that mean some of them. */
  static Set<String> jobs(JsonNode jobs, List<String> others) {
    Set<String> words = new LinkedHashSet<>();
    jobs.forEach(job -> words.add(job.path("id").asText()));
    words.addAll(names(jobs, PLAIN));
    if (!jobs.isEmpty()) {
      words.addAll(others);
    }
    return words;
  }

  private static Set<String> names(JsonNode list, Pattern plain) {
    Set<String> names = new LinkedHashSet<>();
    for (JsonNode one : list) {
      String name = one.path("name").asText();
      if (plain.matcher(name).matches()) {
        names.add(name);
      }
    }
    return names;
  }
}
