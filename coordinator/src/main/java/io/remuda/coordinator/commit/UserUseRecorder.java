package io.remuda.coordinator.commit;

import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.store.row.StoreChange;
import java.util.ArrayList;
import java.util.List;

/**
 * Stores the use of each user every {@value #TICKS} ticks. Used only by the coordinator's actor.
 */
public final class UserUseRecorder {

  private static final long TICKS = 60;

  private final TaskRegistry tasks;
  private long ticks;

  public UserUseRecorder(TaskRegistry tasks) {
    this.tasks = tasks;
  }

  public Decision tick(long now) {
    if (++ticks % TICKS != 0) {
      return Decision.NONE;
    }
    List<StoreChange> rows = new ArrayList<>();
    tasks
        .shares()
        .usedSoFar(now)
        .forEach((user, seconds) -> rows.add(new StoreChange.UseNoted(user, seconds)));
    return Decision.ofRows(rows);
  }
}
