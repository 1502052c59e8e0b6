package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.model.UserLimitUsage;
import io.remuda.coordinator.schedule.model.UserLimits;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What users may still start while a plan is made: their limits less what their tasks have. */
public final class UserRoom {

  private static final double MILLI = 1000;

  private final Map<String, UserLimitUsage> parts;

  /**
   * @param parts of users with limits
   */
  public UserRoom(Map<String, UserLimitUsage> parts) {
    this.parts = new HashMap<>(parts);
  }

  /**
   * Returns which limit of the user these tasks would exceed together; empty for none.
   *
   * @param user the account for which they count; null for none
   */
  public Optional<WaitReason> refusal(String user, List<ResourceRequest> tasks) {
    UserLimitUsage has = parts.get(user);
    if (has == null) {
      return Optional.empty();
    }
    UserLimitUsage with = plus(has, tasks);
    UserLimits limits = has.limits();
    if (exceeds(with.gpus(), has.gpus(), limits.gpus())) {
      return over(user, "GPUs", limits.gpus(), has.gpus(), with.gpus() - has.gpus());
    } else if (exceeds(with.milliCpus(), has.milliCpus(), limits.milliCpus())) {
      return over(
          user,
          "CPUs",
          limits.milliCpus() / MILLI,
          has.milliCpus() / MILLI,
          (with.milliCpus() - has.milliCpus()) / MILLI);
    } else if (exceeds(with.running(), has.running(), limits.running())) {
      return over(user, "tasks", limits.running(), has.running(), tasks.size());
    }
    return Optional.empty();
  }

  private static boolean exceeds(long with, long has, Long limit) {
    return UserLimits.limits(limit) && with > has && with > limit;
  }

  private static Optional<WaitReason> over(
      String user, String what, double limit, double has, double wanted) {
    return Optional.of(new WaitReason.UserLimit(user, what, limit, has, wanted));
  }

  /** Counts tasks that start, for this account; null for none. */
  void take(String user, List<ResourceRequest> tasks) {
    parts.computeIfPresent(user, (name, has) -> plus(has, tasks));
  }

  private static UserLimitUsage plus(UserLimitUsage has, List<ResourceRequest> tasks) {
    return new UserLimitUsage(
        has.limits(),
        has.gpus() + tasks.stream().mapToLong(ResourceRequest::gpus).sum(),
        has.milliCpus() + tasks.stream().mapToLong(ResourceRequest::milliCpus).sum(),
        has.running() + tasks.size());
  }
}
