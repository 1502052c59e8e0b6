package io.remuda.coordinator.cli.show;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.telemetry.render.ShortList;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** What a job asked for besides its resources, in words; what it has not asked for is left out. */
public final class JobTermsText {

  /** Jobs that are named. */
  private static final int MOST_DEPENDENTS = 20;

  private JobTermsText() {}

  /** Returns the labels that a node must have, as {@code zone=a, disk=ssd}. */
  public static String labels(JsonNode job) {
    List<String> labels = new ArrayList<>();
    job.path("needs")
        .path("labels")
        .properties()
        .forEach(label -> labels.add(label.getKey() + "=" + label.getValue().asText()));
    return String.join(", ", labels);
  }

  /** Returns how it is placed and whose turn it is. */
  public static String order(JsonNode terms) {
    List<String> order = new ArrayList<>();
    String qos = terms.path("qos").asText();
    order.add(qos.isEmpty() ? "priority " + terms.path("priority").asInt() : "qos " + qos);
    JsonNode array = terms.path("array");
    if (array.path("first").asBoolean()) {
      JsonNode until = array.path("firstUntil");
      order.add("before its user's other jobs" + (until.isTextual() ? " until " + at(until) : ""));
    }
    order.add("policy " + terms.path("policy").asText());
    if (terms.has("preemption")) {
      order.add("preemptible");
    }
    return String.join(", ", order);
  }

  /** Returns a time in the zone of this machine, to the second. */
  public static String at(JsonNode time) {
    return Instant.parse(time.asText())
        .truncatedTo(ChronoUnit.SECONDS)
        .atZone(ZoneId.systemDefault())
        .toOffsetDateTime()
        .toString();
  }

  /** Returns the jobs that must end first, as {@code 3:ok, 4:any} or {@code one of 3:ok, 4:ok}. */
  public static String after(JsonNode terms) {
    List<String> after = new ArrayList<>();
    terms.path("after").forEach(job -> after.add(job.asText()));
    terms.path("afterOneOf").forEach(job -> after.add(job.asText()));
    return (terms.path("afterOneOf").size() > 1 ? "one of " : "") + String.join(", ", after);
  }

  /** Returns the jobs that wait for it, as {@code 74, 75}; empty for none. */
  public static String then(JsonNode job) {
    List<String> then = new ArrayList<>();
    job.path("dependents").forEach(dependent -> then.add(dependent.asText()));
    return ShortList.of(then, MOST_DEPENDENTS);
  }

  /** Returns who is told of what, as {@code ann@example.org at end}; empty for nobody. */
  public static String notice(JsonNode terms) {
    List<String> on = new ArrayList<>();
    terms
        .path("notice")
        .path("on")
        .forEach(one -> on.add(one.asText().equals("fail") ? "failure" : one.asText()));
    return on.isEmpty()
        ? ""
        : terms.path("notice").path("to").asText() + " at " + String.join(", ", on);
  }

  /** Returns how often a task may run again, empty for never. */
  public static String retries(JsonNode terms) {
    if (terms.path("neverAgain").asBoolean()) {
      return "none, not with more memory either";
    }
    int retries = terms.path("retries").asInt();
    return retries == 0 ? "" : retries + (retries == 1 ? " time" : " times") + " for each task";
  }

  /** Returns what keeps it from starting if it is on hold. */
  public static String hold(JsonNode job) {
    return job.path("state").asText().equals("held")
        ? "on hold: remuda release " + job.path("id").asText()
        : "";
  }
}
