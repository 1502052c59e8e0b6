package io.remuda.coordinator.lifecycle;

/** What can happen to a task. */
public enum TaskTrigger {
  /** The jobs that had to end first have, as was wanted. */
  READY,
  /** Its user puts it on hold. */
  HOLD,
  /** Its user takes it off hold. */
  RELEASE,
  /** The scheduler found a node. */
  PLACED,
  /** Its node reports a process. */
  SEEN_RUNNING,
  /** Its node reports that the process is being started. */
  SEEN_STARTING,
  /** Its node would not start it; nothing ran. */
  REFUSED,
  /** Nothing is heard of its node. */
  NODE_SILENT,
  /** Its node cannot end what is left of it. */
  NOT_GONE,
  /** Its process ended, or surely has, without a result; it may be tried again. */
  INTERRUPTED,
  /** As INTERRUPTED, once more than allowed. */
  INTERRUPTED_TOO_OFTEN,
  /** Its process ended after it gave its result. */
  FINISHED,
  /** Its process ended after it said that it failed. */
  BROKE,
  /** Somebody wants it ended. */
  CANCEL,
  /** Its time limit has passed. */
  OVERDUE,
  /** Nothing is left of it after it was told to end. */
  GONE,
  /** Nothing is left of it after its time limit passed. */
  GONE_OVERDUE
}
