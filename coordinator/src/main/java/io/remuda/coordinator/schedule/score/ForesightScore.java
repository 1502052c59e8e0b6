package io.remuda.coordinator.schedule.score;

import io.remuda.coordinator.schedule.mix.RoomTable;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.ResourceRequest;
import java.util.Optional;

/**
 * Prefers the node and GPU where a placement takes the least from tasks as they were seen so far.
 *
 * <pre>
 * score = 1 / (1 + value(node before) − value(node after))
 * value(node)  = Σ over shapes of weight × (count + 3 × reach)
 *              + 100 × covered × Σ over GPUs of gap(free)
 * weight = share of the tasks × free GPUs of the cluster / (1 + Σ over nodes of count)
 * count  = how many tasks of the shape fit the node
 * reach  = free capacity of the GPUs that the shape can use / what it takes,
 *          at most 1.5 × slack² × the number of them that its cores and memory suffice for
 * slack  = cores per GPU in the cluster / cores per GPU that the tasks ask for, from 0.5 to 2
 * gap    = expected fill of a gap on a GPU by the best of the next 20 tasks
 * covered = free cores / (free GPUs × half of the cores per GPU that tasks with GPUs ask for),
 *          at most 1
 * </pre>
 *
 * <p>The reach is the gradient of FGD ({@link FgdScore}) for one shape. Divided by the room that
 * the whole cluster has for the shape it is the gradient of Σ share × log(room), proportional
 * fairness among shapes: what only few nodes can do is spared for those who need it. The gaps are
 * the value function of online bin packing with a known distribution. As long as no task with GPUs
 * was seen it is {@link BestFitScore}. The constants were chosen on the lists of the FGD paper;
 * docs/scheduling.md has what others give.
 */
final class ForesightScore implements Score {

  /** Weight of what decides among nodes that are equally good. */
  private static final double TIE = 1e-6;

  private final RoomTable rooms;
  private final boolean known;
  private final Score others = new BestFitScore();

  /**
   * @param rooms with the measure {@link io.remuda.coordinator.schedule.mix.LossMeasure#ROOM}
   */
  ForesightScore(RoomTable rooms) {
    this.rooms = rooms;
    this.known = rooms.mix().hasGpus();
  }

  @Override
  public double of(RemainingNodeCapacity node, ResourceRequest needs) {
    if (!known) {
      return others.of(node, needs);
    }
    double score = 1 / (1 + Math.max(0, rooms.cost(node, needs)));
    return needs.gpus() > 0
        ? score
        : score * (1 - TIE) + TIE * others.of(node, needs); // many nodes without GPUs are alike
  }

  @Override
  public Optional<DeviceId> device(RemainingNodeCapacity node, ResourceRequest needs) {
    return rooms.mix().parts().isEmpty() ? Optional.empty() : rooms.device(node, needs);
  }
}
