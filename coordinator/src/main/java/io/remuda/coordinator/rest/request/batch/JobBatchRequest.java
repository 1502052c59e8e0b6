package io.remuda.coordinator.rest.request.batch;

import io.remuda.coordinator.api.CoordinatorCommand.Action;
import io.remuda.coordinator.api.JobNumbers;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request to change many jobs and tasks at once.
 *
 * @param jobs their numbers, as {@link JobNumbers#of} reads them
 * @param action what to do with each
 * @param reason why, or null; only of a cancellation
 */
public record JobBatchRequest(String jobs, String action, String reason) {

  private static final Map<String, Action> ACTIONS = new TreeMap<>();

  static {
    for (Action action : Action.values()) {
      ACTIONS.put(action.name().toLowerCase(Locale.ROOT).replace('_', '-'), action);
    }
  }

  /**
   * Returns what to do.
   *
   * @throws IllegalArgumentException if it is no action, or has a reason that it cannot have; the
   *     message is for users
   */
  public Action meant() {
    Action meant = action == null ? null : ACTIONS.get(action);
    if (meant == null) {
      throw new IllegalArgumentException(
          "action must be one of " + String.join(", ", ACTIONS.keySet()));
    }
    if (reason != null && meant != Action.CANCEL && meant != Action.CANCEL_NOW) {
      throw new IllegalArgumentException("reason is for cancel and cancel-now only");
    }
    return meant;
  }
}
