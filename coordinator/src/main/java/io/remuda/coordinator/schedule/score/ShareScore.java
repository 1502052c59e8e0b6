package io.remuda.coordinator.schedule.score;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.worker.job.ResourceRequest;

/**
 * Prefers the node whose GPUs the fewest tasks share, for tasks that keep GPUs busy:
 *
 * <pre>
 * score = 1 / (1 + tasks) × (1 − ε) + ε × spread
 * tasks = number of tasks on the fullest of the GPUs that the task would get
 * spread = {@link SpreadScore}, which decides among nodes that are equally good
 * </pre>
 *
 * <p>List scheduling for machines that serve all their tasks at once (processor sharing): as long
 * as a GPU has a task whose speed it does not limit, one more task speeds up nothing else, so the
 * next one goes where the most capacity is idle.
 */
final class ShareScore implements Score {

  private static final double TIE = 1e-6;

  private final Score others = new SpreadScore();

  @Override
  public double of(RemainingNodeCapacity node, ResourceRequest needs) {
    double score = needs.gpus() == 0 ? 0 : 1.0 / (1 + node.tasksBeside(needs));
    return score * (1 - TIE) + TIE * others.of(node, needs);
  }
}
