package io.remuda.coordinator.route;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.json.PlainJson;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * Which requests do no harm if they are done twice, as when a leader or a connection is lost before
 * the answer: those whose row in {@link ApiRoute} says so. What has no row is not repeated.
 */
public final class RepeatableRequestRule {

  /** The actions on many that are repeated as actions on one. */
  private static final Set<String> STATES = Set.of("cancel", "cancel-now", "hold", "release");

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
    Optional<ApiRoute> route = RouteMatch.of(method, target).found();
    return switch (route.isEmpty() ? ApiRoute.Repeat.NO : route.get().repeat()) {
      case NO -> false;
      case YES -> true;
      case WITH_KEYS -> hasKeys(read(body));
      case WITH_STATE -> {
        JsonNode action = read(body).path("action");
        yield action.isTextual() && STATES.contains(action.asText());
      }
      case UNLESS_SIGNAL -> !read(body).path("open").asText("").startsWith(SIGNAL);
    };
  }

  /** Returns a missing node for what is not JSON. */
  private static JsonNode read(byte[] body) {
    try {
      return PlainJson.MAPPER.readTree(body);
    } catch (IOException notJson) {
      return PlainJson.MAPPER.missingNode();
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
