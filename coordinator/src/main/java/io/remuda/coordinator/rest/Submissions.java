package io.remuda.coordinator.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.actor.NewJob;
import java.util.ArrayList;
import java.util.List;

/** Reads a submission: one job, or {@code {"jobs": [...]}}. An unknown field is an error. */
final class Submissions {

  private static final int MOST_JOBS = 10_000;

  private static final ObjectMapper STRICT =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private Submissions() {}

  /**
   * The jobs that a body asks for.
   *
   * @throws IllegalArgumentException saying what is wrong, for people
   */
  static List<NewJob> read(byte[] body, String user) {
    List<NewJob> jobs = new ArrayList<>();
    List<String> names = new ArrayList<>();
    int position = 0;
    for (JsonNode node : nodes(body)) {
      position++;
      try {
        NewJob job = STRICT.treeToValue(node, JobRequest.class).toNewJob(user, names);
        jobs.add(job);
        names.add(job.name());
      } catch (UnrecognizedPropertyException unknown) {
        throw new IllegalArgumentException(
            where(position) + "unknown field '" + unknown.getPropertyName() + "'", unknown);
      } catch (JsonProcessingException wrong) {
        throw new IllegalArgumentException(
            where(position) + wrong.getOriginalMessage().replaceFirst("\\(.*", "").trim(), wrong);
      } catch (IllegalArgumentException wrong) {
        throw new IllegalArgumentException(where(position) + wrong.getMessage(), wrong);
      } catch (NullPointerException nothing) {
        throw new IllegalArgumentException(where(position) + "null stands for a value", nothing);
      }
    }
    return jobs;
  }

  private static String where(int position) {
    return position == 1 ? "" : "job number " + position + ": ";
  }

  private static List<JsonNode> nodes(byte[] body) {
    JsonNode root;
    try {
      root = STRICT.readTree(body);
    } catch (java.io.IOException wrong) {
      throw new IllegalArgumentException("the body is no JSON: " + first(wrong), wrong);
    }
    if (root == null || !root.isObject()) {
      throw new IllegalArgumentException("the body must be a JSON object");
    }
    if (!root.has("jobs")) {
      return List.of(root);
    }
    if (root.size() != 1 || !root.get("jobs").isArray()) {
      throw new IllegalArgumentException("a list of jobs is {\"jobs\": [...]} and nothing else");
    }
    if (root.get("jobs").isEmpty() || root.get("jobs").size() > MOST_JOBS) {
      throw new IllegalArgumentException("a submission has 1 to " + MOST_JOBS + " jobs");
    }
    List<JsonNode> all = new ArrayList<>();
    root.get("jobs").forEach(all::add);
    return all;
  }

  private static String first(Exception fault) {
    return String.valueOf(fault.getMessage()).lines().findFirst().orElse("");
  }
}
