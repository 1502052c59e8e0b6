package io.remuda.coordinator.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.actor.NewJob;
import java.util.ArrayList;
import java.util.List;

/** Reads a submission: one job, or {@code {"jobs": [...]}}. An unknown field is an error. */
final class Submissions {

  private static final int MOST_JOBS = 10_000;

  private final boolean autoGpuMem;

  /**
   * A reader.
   *
   * @param autoGpuMem what a job means that asks for GPUs and says nothing of their memory, as in
   *     {@link JobRequest#toNewJob(String, List, boolean)}
   */
  Submissions(boolean autoGpuMem) {
    this.autoGpuMem = autoGpuMem;
  }

  /**
   * The jobs that a body asks for.
   *
   * @throws IllegalArgumentException saying what is wrong, for people
   */
  List<NewJob> read(byte[] body, String user) {
    List<NewJob> jobs = new ArrayList<>();
    List<String> names = new ArrayList<>();
    List<JsonNode> nodes = nodes(body);
    for (JsonNode node : nodes) {
      String where =
          nodes.size() == 1 ? "" : NewJob.said(jobs.size(), node.path("name").textValue()) + ": ";
      NewJob job = read(node, where, user, names);
      jobs.add(job);
      names.add(job.name());
    }
    return jobs;
  }

  private NewJob read(JsonNode node, String where, String user, List<String> earlier) {
    try {
      return Bodies.as(node, JobRequest.class).toNewJob(user, earlier, autoGpuMem);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(where + wrong.getMessage(), wrong);
    } catch (NullPointerException nothing) {
      throw new IllegalArgumentException(where + "null stands for a value", nothing);
    }
  }

  private static List<JsonNode> nodes(byte[] body) {
    JsonNode root = Bodies.object(body);
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
}
