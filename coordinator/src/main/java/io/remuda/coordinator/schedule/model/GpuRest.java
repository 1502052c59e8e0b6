package io.remuda.coordinator.schedule.model;

/**
 * Why a GPU rests.
 *
 * @param failures number of programs that failed there one after the other
 * @param millis how long it rests in all, after which it is tried again
 * @param cause of the last of these failures, for people
 */
public record GpuRest(int failures, long millis, String cause) {}
