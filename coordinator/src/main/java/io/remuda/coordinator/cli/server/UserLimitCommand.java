package io.remuda.coordinator.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Limits what a user may have at once. */
@Command(
    name = "limit",
    description =
        "Limits what the tasks and jobs of a user, or with --default of each user, may have at"
            + " once. What is not given stays as it is.")
final class UserLimitCommand extends ServerCommandBase {

  private static final String NONE = "none";

  @Parameters(paramLabel = "NAME", arity = "0..1")
  private String name;

  @Option(
      names = "--default",
      description = "the limits of each user who has none of their own, the owner included")
  private boolean ofAll;

  @Option(names = "--gpus", paramLabel = "N", description = "GPUs at once; none: no limit")
  private String gpus;

  @Option(names = "--cpus", paramLabel = "N", description = "CPU cores at once; none: no limit")
  private String cpus;

  @Option(names = "--running", paramLabel = "N", description = "tasks at once; none: no limit")
  private String running;

  @Option(
      names = "--waiting",
      paramLabel = "N",
      description = "jobs that wait; further ones are refused; none: no limit")
  private String waiting;

  @Option(names = "--clear", description = "remove the limits that are not given")
  private boolean clear;

  @Override
  protected int ask(RestClient server) throws IOException {
    Map<String, Object> request = request();
    String user = ofAll ? "*" : name;
    JsonNode answer = server.post("/users/" + RestClient.encode(user) + "/limits", request);
    JsonNode limits = answer.path("users").path(0).path("limits");
    if (json) {
      printJson(limits);
      return OK;
    }
    String words = words(limits);
    say((ofAll ? "each user: " : name + ": ") + (words.isEmpty() ? "no limits" : words));
    return OK;
  }

  private Map<String, Object> request() {
    if (ofAll == (name != null)) {
      throw new ParameterException(
          spec.commandLine(), "give the NAME of a user, or --default for each user");
    }
    Map<String, Object> request = new LinkedHashMap<>();
    put(request, "gpus", gpus, true);
    put(request, "cpus", cpus, false);
    put(request, "running", running, true);
    put(request, "waiting", waiting, true);
    if (clear) {
      request.put("clear", true);
    }
    if (request.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "give a limit: --gpus, --cpus, --running, --waiting, or --clear");
    }
    return request;
  }

  private void put(Map<String, Object> request, String field, String text, boolean whole) {
    if (text == null) {
      return;
    }
    if (!text.equals(NONE) && !text.matches(whole ? "\\d{1,9}" : "\\d{1,9}(\\.\\d{1,3})?")) {
      throw new ParameterException(
          spec.commandLine(),
          "--"
              + field
              + " must be a "
              + (whole ? "whole number" : "number")
              + " or none, got '"
              + text
              + "'");
    }
    if (whole) {
      request.put(field, text.equals(NONE) ? -1 : Integer.parseInt(text));
    } else {
      request.put(field, text.equals(NONE) ? -1.0 : Double.parseDouble(text));
    }
  }

  /** Returns limits in words; empty if there are none. */
  static String words(JsonNode limits) {
    List<String> words = new ArrayList<>();
    add(words, limits, "gpus", "GPU", "GPUs");
    add(words, limits, "cpus", "CPU", "CPUs");
    add(words, limits, "running", "task at once", "tasks at once");
    add(words, limits, "waiting", "waiting job", "waiting jobs");
    return String.join(", ", words);
  }

  private static void add(
      List<String> words, JsonNode limits, String field, String one, String several) {
    if (limits.has(field)) {
      double limit = limits.path(field).asDouble();
      String number = limit < 0 ? "any" : plain(limit);
      words.add(number + " " + (limit == 1 ? one : several));
    }
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }
}
