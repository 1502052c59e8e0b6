package io.remuda.coordinator.schedule.mix;

/** What the tasks of a mix lose by a placement. */
public enum LossMeasure {

  /** GPUs that tasks can use: for each shape those that it fits on, weighted by its share. */
  USABLE,

  /** Room for tasks, weighted by its scarcity in the cluster, and gaps that are likely filled. */
  ROOM
}
