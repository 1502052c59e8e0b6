package io.remuda.agent.attempt;

import io.remuda.worker.job.AttemptId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Attempts of lost keepers with a process that cannot be killed, for example one of another user.
 * They are not over until that process is gone. One thread.
 */
public final class UnkillableAttempts {

  private final String keyPrefix;
  private final Map<AttemptId, String> held = new HashMap<>();
  private Map<String, String> reasons = Map.of();

  public UnkillableAttempts(String keyPrefix) {
    this.keyPrefix = keyPrefix;
  }

  /**
   * Replaces the list of what cannot be killed.
   *
   * @param now reasons for users, by task key; an empty key stands for any task
   * @return attempts that are over now, with the causes by which their keepers were lost
   */
  public Map<AttemptId, String> take(Map<String, String> now) {
    reasons = Map.copyOf(now);
    Map<AttemptId, String> over = new HashMap<>(held);
    over.keySet().removeIf(attempt -> reason(attempt) != null);
    held.keySet().removeAll(over.keySet());
    return over;
  }

  /** Holds an attempt of a lost keeper; returns false if nothing of it is left. */
  public boolean hold(AttemptId attempt, String cause) {
    if (reason(attempt) == null) {
      return false;
    }
    held.put(attempt, cause);
    return true;
  }

  /** Returns the attempts that are held. */
  public List<AttemptId> held() {
    return List.copyOf(held.keySet());
  }

  /** Returns what is left of an attempt and what to do; null if nothing is left. */
  public String reason(AttemptId attempt) {
    String own = reasons.get(keyPrefix + attempt);
    return own != null ? own : reasons.get("");
  }
}
