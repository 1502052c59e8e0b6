package io.remuda.agent.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * What a running attempt has used so far; what is not known is null.
 *
 * @param ranMillis run time
 * @param cpuMillis user and system time of its processes, of those that its living processes have
 *     waited for, too
 * @param rssBytes resident memory of its processes together, when it was looked at last
 * @param peakRssBytes the most memory of its processes together
 * @param gpuPeakBytes the most memory that it used of one device
 * @param load how busy it has kept its devices; null without devices
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TaskUse(
    Long ranMillis,
    Long cpuMillis,
    Long rssBytes,
    Long peakRssBytes,
    Long gpuPeakBytes,
    AttemptGpuUtilization load) {}
