package io.remuda.coordinator.cli.job;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Gives each job of a submission an idempotency key, unless the user has given one, so that the
 * request may be sent again when its answer was lost.
 */
final class IdempotencyKeyAssigner {

  private static final String KEY = "clientKey";
  private static final String JOBS = "jobs";

  private IdempotencyKeyAssigner() {}

  /** Returns a request with keys; it is one job, or has a list of jobs. */
  static Map<String, Object> added(Map<String, Object> request) {
    Map<String, Object> whole = new LinkedHashMap<>(request);
    if (request.get(JOBS) instanceof List<?> jobs) {
      whole.put(JOBS, jobs.stream().map(IdempotencyKeyAssigner::ofJob).toList());
    } else {
      whole.putIfAbsent(KEY, newKey());
    }
    return whole;
  }

  private static Object ofJob(Object job) {
    if (!(job instanceof Map<?, ?> fields) || fields.containsKey(KEY)) {
      return job;
    }
    Map<Object, Object> whole = new LinkedHashMap<>(fields);
    whole.put(KEY, newKey());
    return whole;
  }

  private static String newKey() {
    return UUID.randomUUID().toString();
  }
}
