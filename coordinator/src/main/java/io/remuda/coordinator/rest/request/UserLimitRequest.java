package io.remuda.coordinator.rest.request;

import io.remuda.coordinator.schedule.model.UserLimits;

/**
 * A request to change the limits of a user, or of all users. What is not given stays as it is; -1
 * means no limit.
 *
 * @param gpus GPUs at once
 * @param cpus cores at once
 * @param running tasks at once
 * @param waiting jobs that wait
 * @param clear whether what is not given is to be as for all users
 */
public record UserLimitRequest(
    Integer gpus, Double cpus, Integer running, Integer waiting, Boolean clear) {

  private static final int MILLI = 1000;

  /**
   * Returns the changed limits.
   *
   * @throws IllegalArgumentException if one is wrong; the message names it
   */
  public UserLimits changed(UserLimits before) {
    UserLimits kept = Boolean.TRUE.equals(clear) ? UserLimits.USUAL : before;
    return new UserLimits(
            number("gpus", gpus),
            cpus == null ? null : milliCpus(),
            number("running", running),
            number("waiting", waiting))
        .or(kept);
  }

  private static Long number(String name, Integer given) {
    if (given != null && given < UserLimits.NONE) {
      throw new IllegalArgumentException(
          name + " must be 0 or more, or -1 for no limit, got " + given);
    }
    return given == null ? null : Long.valueOf(given);
  }

  private Long milliCpus() {
    if (cpus == UserLimits.NONE) {
      return UserLimits.NONE;
    }
    if (!(cpus >= 0) || cpus > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("cpus must be 0 or more, or -1 for no limit, got " + cpus);
    }
    return Math.round(cpus * MILLI);
  }
}
