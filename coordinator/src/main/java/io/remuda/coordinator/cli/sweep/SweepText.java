package io.remuda.coordinator.cli.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.output.CountedQuantityText;
import java.util.ArrayList;
import java.util.List;

/** What is shown of a sweep. */
public final class SweepText {

  private static final int MOST = 60;

  private SweepText() {}

  /**
   * Returns in what the tasks of a job differ, as {@code lr (3 values) x seed (2 values)}, and
   * which of them it has, as {@code 2 of 20 indices: 3,7}; empty if they are alike.
   *
   * @param tasks number of its tasks
   */
  public static String axes(JsonNode array, int tasks) {
    String axes = axes(array);
    String which = which(array);
    boolean some = !axes.isEmpty() && !which.isEmpty();
    boolean ofOne = array.path("sweep").size() == 1 && !isNamed(array.path("sweep").get(0));
    String count =
        ofOne ? CountedQuantityText.of(tasks) : CountedQuantityText.counted(tasks, "task");
    return some ? count + " of " + axes + ": " + which : axes;
  }

  /** Returns which job it repeats, and which tasks if these have nothing else for themselves. */
  public static String again(JsonNode array) {
    String again = array.path("again").asText("");
    String which = array.path("sweep").isEmpty() ? which(array) : "";
    return again + (which.isEmpty() ? "" : ", of its tasks " + which);
  }

  /** Returns which tasks it repeats, by array index; empty for all. */
  private static String which(JsonNode array) {
    return array.has("picked")
        ? shortened(array.path("indices").asText(array.path("picked").asText()))
        : "";
  }

  private static boolean isNamed(JsonNode axis) {
    return axis.path("name").isTextual();
  }

  private static String axes(JsonNode array) {
    List<String> axes = new ArrayList<>();
    for (JsonNode axis : array.path("sweep")) {
      int values = axis.path("values").asInt();
      String one = axis.path("by").asText();
      axes.add(
          isNamed(axis)
              ? axis.path("name").asText()
                  + " ("
                  + CountedQuantityText.counted(values, "value", "values")
                  + ")"
              : CountedQuantityText.counted(values, one, plural(one)));
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
                + CountedQuantityText.counted(fails, "task has", "tasks have")
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

  /** Returns the beginning of a long text. */
  public static String shortened(String value) {
    return value.length() <= MOST ? value : value.substring(0, MOST) + "...";
  }
}
