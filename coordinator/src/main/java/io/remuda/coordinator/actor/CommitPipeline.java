package io.remuda.coordinator.actor;

import io.remuda.coordinator.registry.TaskChange;
import io.remuda.coordinator.store.LogEntry;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Commits changes and then runs their effects: no change is reported or acted on before it is
 * durable. Used only by the coordinator's actor.
 */
final class CommitPipeline {

  private final CommitBatch batch;
  private final JobAdmission admission;
  private final CommittedEffects effects;
  private final ActorRef<Coordinator.Command> coordinator;
  private final Runnable saveSoon;

  /**
   * @param coordinator receives {@link Coordinator.Committed} from the writer's thread
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

  /** Commits task changes that have just been made, then runs their effects. */
  void publish(List<TaskChange> changes) {
    if (!changes.isEmpty()) {
      publish(changes, List.of(), () -> {});
    }
  }

  /**
   * Commits task changes together with other rows, then runs the effects of the task changes.
   *
   * @param others rows of other changes
   * @param then runs once all is durable
   */
  void publish(List<TaskChange> changes, List<LogEntry> others, Runnable then) {
    Runnable effect = effects.of(changes, then);
    List<LogEntry> rows = new ArrayList<>(admission.rows(changes));
    rows.addAll(others);
    append(
        rows,
        () -> {
          if (batch.areKept()) { // on the writer's thread
            coordinator.tell(new Coordinator.Committed(effect));
          } else {
            effect.run();
          }
        });
  }

  /**
   * Commits rows without effects on tasks.
   *
   * @param committed runs when they are durable, on the writer's thread; at once without a store
   */
  void append(List<LogEntry> rows, Runnable committed) {
    batch.append(rows, committed);
    if (batch.isDue()) {
      saveSoon.run();
    }
  }
}
