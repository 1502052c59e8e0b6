package io.remuda.coordinator.actor;

import io.remuda.coordinator.registry.TaskChange;
import io.remuda.coordinator.store.LogEntry;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * How changes get out: nobody hears of them, and nothing follows from them, before they are
 * durable. Used by the coordinator's actor alone.
 */
final class CommitPipeline {

  private final CommitBatch batch;
  private final JobAdmission admission;
  private final CommittedEffects effects;
  private final ActorRef<Coordinator.Command> coordinator;
  private final Runnable saveSoon;

  /**
   * A way out.
   *
   * @param coordinator is told what is durable, for it is another thread that knows
   * @param saveSoon runs when there is something to save
   */
  CommitPipeline(
      CommitBatch batch,
      JobAdmission admission,
      CommittedEffects effects,
      ActorRef<Coordinator.Command> coordinator,
      Runnable saveSoon) {
    this.batch = batch;
    this.admission = admission;
    this.effects = effects;
    this.coordinator = coordinator;
    this.saveSoon = saveSoon;
  }

  /** Publishes changes of tasks that have just been made. */
  void publish(List<TaskChange> changes) {
    if (!changes.isEmpty()) {
      publish(changes, List.of(), () -> {});
    }
  }

  /**
   * Publishes changes of tasks together with others.
   *
   * @param others rows of what else was changed
   * @param then runs once all is durable
   */
  void publish(List<TaskChange> changes, List<LogEntry> others, Runnable then) {
    Runnable effect = effects.of(changes, then);
    List<LogEntry> rows = new ArrayList<>(admission.rows(changes));
    rows.addAll(others);
    append(
        rows,
        () -> {
          if (batch.areKept()) { // this is another thread
            coordinator.tell(new Coordinator.Committed(effect));
          } else {
            effect.run();
          }
        });
  }

  /**
   * Makes rows durable from which nothing follows for tasks.
   *
   * @param committed runs when they are, on the thread that writes; at once where nothing is kept
   */
  void append(List<LogEntry> rows, Runnable committed) {
    batch.append(rows, committed);
    if (batch.isDue()) {
      saveSoon.run();
    }
  }
}
