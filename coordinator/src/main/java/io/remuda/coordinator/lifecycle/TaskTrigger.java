package io.remuda.coordinator.lifecycle;

/** An event of a task. */
public enum TaskTrigger {
  /** Its dependencies are met. */
  READY,
  /** Its user puts it on hold. */
  HOLD,
  /** Its user takes it off hold. */
  RELEASE,
  /** The scheduler found a node. */
  PLACED,
  /** Its node reports a process. */
  SEEN_RUNNING,
  /** Its training has told the end of an epoch. */
  EPOCH_DONE,
  /** Its node reports that the process is being started. */
  SEEN_STARTING,
  /** Its node did not start it. */
  REFUSED,
  /** Its node does not answer. */
  NODE_SILENT,
  /** Its node cannot end its processes. */
  NOT_GONE,
  /** Its process has surely ended, without a result; it may be retried. */
  INTERRUPTED,
  /** As {@link #INTERRUPTED}, but it must not be retried again. */
  INTERRUPTED_TOO_OFTEN,
  /** Its process ended with a result. */
  FINISHED,
  /** Its process failed. */
  BROKE,
  /** It is to be ended. */
  CANCEL,
  /** Its time limit has passed, or that of its job. */
  OVERDUE,
  /** It has succeeded, and its gang starts again with all its members. */
  START_AGAIN,
  /** It is to leave its place. */
  PREEMPT,
  /** All its processes have ended, so that it has left its place. */
  PREEMPTED,
  /** All its processes have ended as requested. */
  GONE,
  /** All its processes have ended after its time limit. */
  GONE_OVERDUE
}
