package io.remuda.agent.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * How busy an attempt kept its devices while they were sampled, once a second.
 *
 * @param meanPercent mean utilisation of all of its devices, 0-100; null if it is not known, as of
 *     an attempt shorter than a second, or one that shares a device whose driver does not tell the
 *     processes apart
 * @param maxPercent the highest utilisation of one device in one sample; null with {@code
 *     meanPercent}
 * @param memoryBytes size of the smallest of its devices, or null if unknown
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AttemptGpuUtilization(Integer meanPercent, Integer maxPercent, Long memoryBytes) {
  public AttemptGpuUtilization {
    if ((meanPercent == null) != (maxPercent == null)) {
      throw new IllegalArgumentException(
          "mean and maximum belong together, got " + meanPercent + " and " + maxPercent);
    }
  }
}
