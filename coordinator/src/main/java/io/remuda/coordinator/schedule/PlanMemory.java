package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.mix.LossMeasure;
import io.remuda.coordinator.schedule.mix.RoomTable;
import io.remuda.coordinator.schedule.mix.TaskMix;
import io.remuda.coordinator.schedule.mix.TaskMixLearner;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.RemainingClusterCapacity;
import io.remuda.coordinator.schedule.model.TaskClass;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What plans that follow each other have in common: what the tasks usually need, which is learned
 * here, and results that hold as long as a node does not change. Only the former changes a plan; it
 * is a part of the {@linkplain Snapshot#mix snapshot}. Single-threaded.
 */
public final class PlanMemory {

  /** Bound of each {@link RoomTable}: 32 MB, and as much beside it. */
  private static final long MOST_CELLS = 4_000_000;

  private final long mostCells;
  private final TaskMixLearner learner = new TaskMixLearner();
  private final FitRows fits = new FitRows();
  private final Map<LossMeasure, RoomTable> tables = new EnumMap<>(LossMeasure.class);
  private RemainingClusterCapacity capacity;

  /** Creates an empty memory. */
  public PlanMemory() {
    this(MOST_CELLS);
  }

  /** Creates an empty memory with another bound, which must not change any plan. */
  PlanMemory(long mostCells) {
    this.mostCells = mostCells;
  }

  /** Learns from the waiting tasks, and makes the plan. */
  public Plan plan(Snapshot snapshot, Collection<TaskClass> lines) {
    learner.saw(lines);
    return Scheduler.plan(snapshot.knowing(learner.mix()), lines, this);
  }

  /** Does the same, with nothing remembered but what tasks usually need; to compare. */
  public Plan planAnew(Snapshot snapshot, Collection<TaskClass> lines) {
    learner.saw(lines);
    return Scheduler.plan(snapshot.knowing(learner.mix()), lines);
  }

  RemainingClusterCapacity capacity(List<NodeOffer> nodes) {
    if (capacity == null || !capacity.renew(nodes)) {
      capacity = RemainingClusterCapacity.of(nodes);
    }
    return capacity;
  }

  FitRows fits() {
    return fits;
  }

  /** Returns what is known of the room for the tasks of the mix; once for each plan. */
  RoomTable table(TaskMix mix, LossMeasure measure) {
    RoomTable known = tables.get(measure);
    if (known == null || !known.learn(mix)) {
      known = new RoomTable(measure, mostCells);
      known.learn(mix);
      tables.put(measure, known);
    }
    return known;
  }
}
