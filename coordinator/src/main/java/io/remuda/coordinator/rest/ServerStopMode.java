package io.remuda.coordinator.rest;

/** What a server that is stopped does with the tasks that run. */
public enum ServerStopMode {
  /** They run on; the next server of the state folder takes them over. */
  TASKS_RUN_ON,
  /** Each gets SIGTERM, and SIGKILL after its grace. */
  TASKS_END,
  /** They are killed. */
  TASKS_ARE_KILLED
}
