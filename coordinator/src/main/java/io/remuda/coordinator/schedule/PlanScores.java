package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.mix.LossMeasure;
import io.remuda.coordinator.schedule.mix.RoomTable;
import io.remuda.coordinator.schedule.mix.TaskMix;
import io.remuda.coordinator.schedule.model.RemainingClusterCapacity;
import io.remuda.coordinator.schedule.score.PlacementScores;
import io.remuda.coordinator.schedule.score.Score;
import io.remuda.worker.job.PlacementPolicy;
import java.util.EnumMap;
import java.util.Map;

/** The scores of the policies while a plan is made, with what they know of the room. */
final class PlanScores {

  /** After so many placements the room for what usually comes is computed again. */
  private static final int LOOK_AGAIN = 16;

  private final TaskMix mix;
  private final RemainingClusterCapacity rooms;
  private final PlanMemory memory;
  private final int placedBefore;
  private final Map<LossMeasure, RoomTable> tables = new EnumMap<>(LossMeasure.class);
  private final Map<LossMeasure, Integer> lookedAt = new EnumMap<>(LossMeasure.class);

  /**
   * @param placedBefore number of slots in use before the plan
   */
  PlanScores(TaskMix mix, RemainingClusterCapacity rooms, PlanMemory memory, int placedBefore) {
    this.mix = mix;
    this.rooms = rooms;
    this.memory = memory;
    this.placedBefore = placedBefore;
  }

  /**
   * Returns the score of a policy as things are now.
   *
   * @param placed number of tasks that the plan has placed so far
   */
  Score of(PlacementPolicy policy, int placed) {
    return PlacementScores.of(
        policy,
        () -> table(LossMeasure.USABLE, placed),
        () -> table(LossMeasure.ROOM, placed),
        placedBefore + placed);
  }

  /** Returns the one table of this plan: another would know nothing of the nodes. */
  private RoomTable table(LossMeasure measure, int placed) {
    RoomTable table = tables.computeIfAbsent(measure, one -> memory.table(mix, one));
    table.trim();
    Integer before = lookedAt.get(measure);
    boolean old = before == null || placed - before >= LOOK_AGAIN;
    if (old && mix.hasGpus()) {
      table.look(rooms.all());
      lookedAt.put(measure, placed);
    }
    return table;
  }
}
