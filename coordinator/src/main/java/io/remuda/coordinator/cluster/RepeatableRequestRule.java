package io.remuda.coordinator.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.regex.Pattern;

/**
 * Which requests do no harm if they are done twice: reads, changes of a state that may be there
 * already, and submissions of which each job has an idempotency key.
 */
final class RepeatableRequestRule {

  private static final ObjectMapper JSON = JsonMapper.builder().build();
  private static final Pattern WITH_KEY = Pattern.compile("/(jobs|leases|jobs/\\d+/resubmit)/?");
  private static final Pattern NEVER =
      Pattern.compile("/users/?|/jobs/\\d+(/tasks/\\d+)?/(requeue|signal)/?");

  private RepeatableRequestRule() {}

  static boolean is(RequestForwarder.Forward request) {
    String path = request.target().split("\\?", 2)[0];
    if (!request.method().equals("POST")) {
      return true;
    }
    return !NEVER.matcher(path).matches()
        && (!WITH_KEY.matcher(path).matches() || hasKeys(request.body()));
  }

  private static boolean hasKeys(byte[] body) {
    try {
      JsonNode root = JSON.readTree(body);
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
    } catch (IOException notJson) {
      return true; // it is refused each time
    }
  }

  private static boolean hasKey(JsonNode job) {
    return !job.path("clientKey").asText("").isBlank() && job.path("clientKey").isTextual();
  }
}
