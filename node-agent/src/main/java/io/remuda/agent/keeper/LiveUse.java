package io.remuda.agent.keeper;

/**
 * What a running task has used so far.
 *
 * @param ranMillis since the start of its first process
 * @param cpuMillis user and system time of its living processes and of those that they waited for
 * @param residentBytes resident memory of its processes together
 * @param peakBytes the most memory that they were seen to hold together
 */
public record LiveUse(long ranMillis, long cpuMillis, long residentBytes, long peakBytes) {}
