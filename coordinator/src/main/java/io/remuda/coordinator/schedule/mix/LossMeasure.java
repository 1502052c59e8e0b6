package io.remuda.coordinator.schedule.mix;

/** How bad it is that a node gets from one state to another. */
public interface LossMeasure {

  /** What the tasks of the mix lose: {@link StateRoom#usable} GPUs. */
  LossMeasure USABLE = (before, after) -> before.usable - after.usable;

  /** What the tasks of the mix lose: weighted room for them, and gaps that are likely filled. */
  LossMeasure ROOM = (before, after) -> before.value() - after.value();

  /** Returns the loss in GPUs; lower is better. */
  double loss(StateRoom before, StateRoom after);
}
