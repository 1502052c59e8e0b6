package io.remuda.coordinator.schedule.model;

/**
 * What a user may have at once, and has.
 *
 * @param limits the user's, or those of all users where these say nothing
 * @param gpus devices of the user's tasks
 * @param milliCpus thousandths of cores promised to them
 * @param running number of them; short tasks that share a slot count as one
 */
public record UserLimitUsage(UserLimits limits, long gpus, long milliCpus, long running) {}
