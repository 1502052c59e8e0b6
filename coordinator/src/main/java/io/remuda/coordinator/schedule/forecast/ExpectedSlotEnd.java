package io.remuda.coordinator.schedule.forecast;

/**
 * A slot whose tasks are known to end.
 *
 * @param inMillis when, from now, at the latest or by what was measured
 */
public record ExpectedSlotEnd(long slot, long inMillis) {}
