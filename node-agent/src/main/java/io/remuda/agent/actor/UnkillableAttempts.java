package io.remuda.agent.actor;

import io.remuda.worker.job.AttemptId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Attempts of lost keepers of which something is left that nobody can end, as a process of another
 * user. They are not over before that is gone. One thread.
 */
final class UnkillableAttempts {

  private final String keyPrefix;
  private final Map<AttemptId, String> held = new HashMap<>();
  private Map<String, String> reasons = Map.of();

  UnkillableAttempts(String keyPrefix) {
    this.keyPrefix = keyPrefix;
  }

  /**
   * Takes in what is left now.
   *
   * @param now for people, by the keys of tasks; an empty key stands for any
   * @return what is over with this: attempts, and how their keepers were lost
   */
  Map<AttemptId, String> take(Map<String, String> now) {
    reasons = Map.copyOf(now);
    Map<AttemptId, String> over = new HashMap<>(held);
    over.keySet().removeIf(attempt -> reason(attempt) != null);
    held.keySet().removeAll(over.keySet());
    return over;
  }

  /** Whether something of an attempt is left whose keeper was lost; then it is held. */
  boolean hold(AttemptId attempt, String cause) {
    if (reason(attempt) == null) {
      return false;
    }
    held.put(attempt, cause);
    return true;
  }

  /** Those that are held. */
  List<AttemptId> held() {
    return List.copyOf(held.keySet());
  }

  /** What is left of an attempt and what to do, or null. */
  String reason(AttemptId attempt) {
    String own = reasons.get(keyPrefix + attempt);
    return own != null ? own : reasons.get("");
  }
}
