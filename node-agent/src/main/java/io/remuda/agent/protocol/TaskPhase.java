package io.remuda.agent.protocol;

/** State of an attempt as its agent knows it. */
public enum TaskPhase {
  /** Its folder is created and its process is being started. */
  STARTING,
  /** Its process exists. */
  RUNNING,
  /** It was asked to end and has not ended yet. */
  ENDING,
  /** Nothing of it is left on the node. */
  ENDED,
  /** It never started; the cause of its end explains why. */
  REFUSED
}
