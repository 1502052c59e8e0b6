package io.remuda.coordinator.registry.task;

/** What the registry did with an event of a worker. */
public enum WorkerEventAcceptance {
  /** It is the next event and was stored. */
  NEW,
  /** It was stored before. */
  REPEATED,
  /** It belongs to another attempt, or an event before it is missing. */
  DROPPED
}
