package io.remuda.agent.protocol;

/** What an agent knows of an attempt it was told to run. */
public enum TaskPhase {
  /** Its folder is made and its process is being started. */
  STARTING,
  /** Its process is there. */
  RUNNING,
  /** It was told to end and is not gone yet. */
  ENDING,
  /** Nothing of it is left on the node. */
  ENDED,
  /** It never started: see the end's cause. */
  REFUSED
}
