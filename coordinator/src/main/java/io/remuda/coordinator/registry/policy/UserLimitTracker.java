package io.remuda.coordinator.registry.policy;

import io.remuda.coordinator.schedule.model.UserLimitUsage;
import io.remuda.coordinator.schedule.model.UserLimits;
import io.remuda.worker.job.JobTerms.Qos;
import java.util.HashMap;
import java.util.Map;

/**
 * What the placed tasks of each user have, and the limits of users. Tasks of one slot run one after
 * the other and count once. Single-threaded.
 */
public final class UserLimitTracker {

  /** A slot in use; what its first task has counts. */
  private static final class SlotUse {
    private final String user;
    private final long gpus;
    private final long milliCpus;
    private int tasks;

    private SlotUse(String user, long gpus, long milliCpus) {
      this.user = user;
      this.gpus = gpus;
      this.milliCpus = milliCpus;
    }
  }

  private static final class Sums {
    private long gpus;
    private long milliCpus;
    private long slots;
  }

  private final Map<Long, SlotUse> slots = new HashMap<>();
  private final Map<String, Sums> sums = new HashMap<>();
  private final Map<String, UserLimits> limits = new HashMap<>();
  private SchedulingSettings.TestBounds tests = SchedulingSettings.TestBounds.USUAL;

  /** Sets the bounds of jobs for tests. */
  public void limitTests(SchedulingSettings.TestBounds bounds) {
    tests = bounds;
  }

  /** Returns the bounds of jobs for tests. */
  public SchedulingSettings.TestBounds tests() {
    return tests;
  }

  /** Sets the limits of a user, or of all users for {@link UserLimits#ALL_USERS}. */
  public void limit(String user, UserLimits own) {
    limits.put(user, own);
  }

  /** Returns the limits that apply to a user, or to the tests of one. */
  public UserLimits limits(String user) {
    if (Qos.isOfTests(user)) {
      long running = tests.running();
      return new UserLimits(UserLimits.NONE, UserLimits.NONE, running, UserLimits.NONE);
    }
    UserLimits ofAll = limits.getOrDefault(UserLimits.ALL_USERS, UserLimits.USUAL);
    return limits.getOrDefault(user, UserLimits.USUAL).or(ofAll);
  }

  /** Returns what these users may have and have; without those whose tasks are not limited. */
  public Map<String, UserLimitUsage> parts(Iterable<String> users) {
    Map<String, UserLimitUsage> parts = new HashMap<>();
    users.forEach(user -> parts.computeIfAbsent(user, this::part));
    return parts;
  }

  private UserLimitUsage part(String user) {
    UserLimits own = limits(user);
    Sums has = sums.getOrDefault(user, new Sums());
    return own.limitTasks() ? new UserLimitUsage(own, has.gpus, has.milliCpus, has.slots) : null;
  }

  /** A task has a place now. */
  public void entered(String user, long slot, long gpus, long milliCpus) {
    SlotUse use = slots.computeIfAbsent(slot, one -> new SlotUse(user, gpus, milliCpus));
    if (use.tasks++ == 0) {
      add(use, 1);
    }
  }

  /** A task has left its place. */
  public void left(long slot) {
    SlotUse use = slots.get(slot);
    if (use != null && --use.tasks == 0) {
      slots.remove(slot);
      add(use, -1);
    }
  }

  private void add(SlotUse use, int sign) {
    Sums own = sums.computeIfAbsent(use.user, user -> new Sums());
    own.gpus += sign * use.gpus;
    own.milliCpus += sign * use.milliCpus;
    own.slots += sign;
    if (own.slots == 0) {
      sums.remove(use.user);
    }
  }
}
