package io.remuda.coordinator.actor;

import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.commit.DurableLog;
import io.remuda.coordinator.commit.Effect;
import io.remuda.coordinator.meter.CoordinatorMeters;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.store.JobChangeRowConverter;
import io.remuda.coordinator.store.row.StoreChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Commits decisions and then has their effects carried out: no change is reported or acted on
 * before it is durable. Decisions are collected until {@link #save}, so that a job that is
 * submitted and placed at once costs one commit. Used only by the coordinator's actor.
 */
final class CommitPipeline {

  /** A commit on its way to the disk. */
  private record Commit(long number, List<Effect> effects, long since) {}

  private final DurableLog durableLog;
  private final JobChangeRowConverter jobRows;
  private final TaskRegistry tasks;
  private final EffectInterpreter interpreter;
  private final CoordinatorMeters meters;
  private final ActorRef<CoordinatorCommand> coordinator;
  private final List<StoreChange> rows = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();
  private final Deque<Commit> underWay = new ArrayDeque<>();
  private boolean due;
  private long lastNumber;

  /**
   * @param coordinator receives {@link CoordinatorCommand.Committed} from the writer's thread
   */
  CommitPipeline(
      DurableLog durableLog,
      JobChangeRowConverter jobRows,
      TaskRegistry tasks,
      EffectInterpreter interpreter,
      CoordinatorMeters meters,
      ActorRef<CoordinatorCommand> coordinator) {
    this.durableLog = durableLog;
    this.jobRows = jobRows;
    this.tasks = tasks;
    this.interpreter = interpreter;
    this.meters = meters;
    this.coordinator = coordinator;
  }

  /**
   * Carries out what need not wait, and adds the rest to the next {@link #save}. Must be called
   * right after the decision, while the registry has what it changed.
   */
  void add(Decision decision, long now) {
    interpreter.carryOut(decision.atOnce(), now);
    if (decision.waitsForCommit()) {
      due = true;
      for (TaskChange change : decision.changes()) {
        meters.changed(change, tasks.find(change.attempt().task()).orElse(null), now);
      }
      effects.addAll(interpreter.of(decision.changes()));
      effects.addAll(decision.committed());
      rows.addAll(rowsOf(decision.changes()));
      rows.addAll(decision.rows());
    }
  }

  /** Returns the rows of changes and of the profiles that they update. */
  private List<StoreChange> rowsOf(List<TaskChange> changes) {
    if (changes.isEmpty()) {
      return List.of();
    }
    List<StoreChange> all = new ArrayList<>(jobRows.changed(changes, tasks));
    all.addAll(jobRows.learned(tasks.takeProfiles()));
    all.addAll(jobRows.used(tasks.usage()));
    return all;
  }

  /** Returns whether decisions wait for {@link #save}. */
  boolean isDue() {
    return due;
  }

  /** Passes the collected rows to the log, as one batch. */
  void save(long now) {
    if (!due) {
      return;
    }
    long number = ++lastNumber;
    underWay.add(new Commit(number, List.copyOf(effects), now));
    List<StoreChange> batch = List.copyOf(rows);
    due = false;
    rows.clear();
    effects.clear();
    durableLog.append(batch, () -> coordinator.tell(new CoordinatorCommand.Committed(number)));
  }

  /** Carries out the effects of all commits up to this number. */
  void committed(long number, long now) {
    while (!underWay.isEmpty() && underWay.peek().number() <= number) {
      Commit durable = underWay.poll();
      meters.committed(now - durable.since());
      interpreter.carryOutCommitted(durable.effects(), now);
    }
  }
}
