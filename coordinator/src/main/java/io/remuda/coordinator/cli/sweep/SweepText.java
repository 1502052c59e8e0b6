package io.remuda.coordinator.cli.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.output.NumberText;
import java.util.ArrayList;
import java.util.List;

/** What is shown of a sweep. */
public final class SweepText {

  private static final int MOST = 60;

  private SweepText() {}

  /** Returns in what the tasks of a job differ; empty if they are alike. */
  public static String axes(JsonNode array) {
    List<String> axes = new ArrayList<>();
    for (JsonNode axis : array.path("sweep")) {
      int values = axis.path("values").asInt();
      String one = axis.path("by").asText();
      axes.add(
          axis.path("name").isTextual()
              ? axis.path("name").asText()
                  + " ("
                  + NumberText.counted(values, "value", "values")
                  + ")"
              : NumberText.counted(values, one, plural(one)));
    }
    return String.join(" x ", axes);
  }

  private static String plural(String one) {
    return switch (one) {
      case "index" -> "indices";
      case "entry" -> "entries";
      default -> one + "s";
    };
  }

  /** Returns the limits of a job that follow from its array. */
  public static List<String> limits(JsonNode array) {
    int fails = array.path("maxFails").asInt();
    return fails == 0
        ? List.of()
        : List.of(
            "the others are cancelled once "
                + NumberText.counted(fails, "task has", "tasks have")
                + " failed");
  }

  /** Returns what a task has for itself, long values shortened. */
  public static String parameters(JsonNode parameters) {
    List<String> all = new ArrayList<>();
    parameters
        .properties()
        .forEach(one -> all.add(one.getKey() + "=" + shortened(one.getValue().asText())));
    return String.join(" ", all);
  }

  private static String shortened(String value) {
    return value.length() <= MOST ? value : value.substring(0, MOST) + "...";
  }
}
