package io.remuda.coordinator.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which requests do no harm if they are done twice, as when a leader or a connection is lost before
 * the answer: reads, changes to a state that may be there already, and submissions of which each
 * job has an idempotency key. What is not named here is not repeated.
 */
public final class RepeatableRequestRule {

  private static final ObjectMapper JSON = JsonMapper.builder().build();

  /** Those that change a state to one that the request names, or use numbers for what they add. */
  private static final Pattern ALWAYS =
      Pattern.compile(
          "/jobs/\\d+/(cancel|tasks/cancel|tasks/\\d+/cancel|hold|release|set)/?"
              + "|/leases/\\d+/release/?"
              + "|/nodes/[^/]+/(drain|resume|gpus/drain|gpus/resume|gone|remove)/?"
              + "|/nodes/[^/]+/foreign/[^/]+/end/?"
              + "|/profiles/forget/?"
              + "|/metrics-token/remove/?"
              + "|/users/[^/]+/(limits|remove)/?");

  private static final Pattern WITH_KEY = Pattern.compile("/(jobs|leases|jobs/\\d+/resubmit)/?");

  private static final Pattern OF_MANY = Pattern.compile("/jobs/change/?");

  /** The actions on many that are in {@link #ALWAYS} as actions on one. */
  private static final Set<String> STATES = Set.of("cancel", "cancel-now", "hold", "release");

  /** Bytes are counted, and what is opened has a name; a signal is neither. */
  private static final Pattern CHANNEL = Pattern.compile("/jobs/\\d+/channel/?");

  private static final String SIGNAL = "signal:";

  private RepeatableRequestRule() {}

  /**
   * Returns whether a request may be sent again without an answer to the first one.
   *
   * @param method of HTTP
   * @param target path and query below {@code /api/v1}
   * @param body empty for none
   */
  public static boolean is(String method, String target, byte[] body) {
    if (!method.equals("POST")) {
      return method.equals("GET") || method.equals("HEAD");
    }
    String path = target.split("\\?", 2)[0];
    if (ALWAYS.matcher(path).matches()) {
      return true;
    }
    if (WITH_KEY.matcher(path).matches()) {
      return hasKeys(read(body));
    }
    if (OF_MANY.matcher(path).matches()) {
      JsonNode action = read(body).path("action");
      return action.isTextual() && STATES.contains(action.asText());
    }
    return CHANNEL.matcher(path).matches()
        && !read(body).path("open").asText("").startsWith(SIGNAL);
  }

  /** Returns a missing node for what is not JSON. */
  private static JsonNode read(byte[] body) {
    try {
      return JSON.readTree(body);
    } catch (IOException notJson) {
      return JSON.missingNode();
    }
  }

  private static boolean hasKeys(JsonNode root) {
    JsonNode jobs = root.path("jobs");
    if (!jobs.isArray()) {
      return hasKey(root);
    }
    for (JsonNode job : jobs) {
      if (!hasKey(job)) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasKey(JsonNode job) {
    return job.path("clientKey").isTextual() && !job.path("clientKey").asText().isBlank();
  }
}
