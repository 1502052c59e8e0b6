package io.remuda.coordinator.store.row;

/**
 * An entry of the event log.
 *
 * @param sequence counts events from 1
 * @param at milliseconds since 1970
 * @param job number of the job that it concerns, or 0
 * @param task index of the task that it concerns, or -1
 * @param what kind of event, for example {@code task-running}
 * @param detail JSON
 */
public record EventLogEntry(
    long sequence, long at, long job, int task, String what, String detail) {}
