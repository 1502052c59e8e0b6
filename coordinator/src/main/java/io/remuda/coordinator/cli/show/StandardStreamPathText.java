package io.remuda.coordinator.cli.show;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.worker.job.stream.StreamPathVariables;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Where a job's standard streams come from and go to, for users. */
public final class StandardStreamPathText {

  private StandardStreamPathText() {}

  /**
   * Returns the path of a stream as it was given, and of a job with one task what it stands for, if
   * that is another one and the node is known; null if none was given.
   *
   * @param stream stdin, output or error
   */
  public static String words(JsonNode job, String stream) {
    JsonNode given = job.path("workload").path("streams").path(stream);
    if (!given.isTextual()) {
      return null;
    }
    String pattern = given.asText();
    boolean plain = !pattern.contains("%") && !pattern.contains("{");
    if (plain || job.path("tasks").asInt() != 1 || job.path("workload").has("frozenTree")) {
      return pattern; // a frozen tree is a folder of its own on each node
    }
    String path = path(job, pattern);
    return path == null || path.equals(pattern) ? pattern : pattern + ", which is " + path;
  }

  private static String path(JsonNode job, String pattern) {
    JsonNode task = job.path("attempts").path(0);
    String node = task.path("node").asText("");
    if (node.isEmpty() || node.equals("null") || !job.path("workload").path("folder").isTextual()) {
      return null;
    }
    Map<String, String> values = new HashMap<>();
    task.path("parameters")
        .properties()
        .forEach(one -> values.put(one.getKey(), one.getValue().asText()));
    boolean numbered = job.path("terms").path("array").path("numbered").asBoolean();
    StreamPathVariables properties =
        new StreamPathVariables(
            job.path("id").asLong(),
            job.path("id").asLong() + (numbered ? 1 : 0),
            0,
            task.path("arrayIndex").asText("0"),
            node,
            job.path("name").asText(),
            values);
    try {
      return Path.of(job.path("workload").path("folder").asText())
          .resolve(properties.in(pattern))
          .normalize()
          .toString();
    } catch (InvalidPathException otherEncoding) { // of a locale that cannot write it
      return null;
    }
  }
}
