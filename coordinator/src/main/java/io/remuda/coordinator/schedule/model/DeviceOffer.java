package io.remuda.coordinator.schedule.model;

import io.remuda.coordinator.profile.JobType;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.ResourceRequest;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The resources and state of a device for the scheduler.
 *
 * @param id its UUID; several nodes of one machine may see one device
 * @param model product name
 * @param totalMemory maximum bytes that tasks may use, 0 if not known
 * @param freeMemory bytes that are neither in use nor promised to tasks
 * @param standing whether and how it may be lent
 * @param load the tasks that share it
 * @param ownMemory by pid, the bytes that would also be free for a process that uses the device and
 *     belongs to none of its tasks
 * @param heldBy the other process that holds it, for people, if known; null if there is none
 * @param drained why it is {@link Standing#DRAINING}, for people, empty if no reason is given;
 *     otherwise null
 */
public record DeviceOffer(
    DeviceId id,
    String model,
    long totalMemory,
    long freeMemory,
    Standing standing,
    Load load,
    Map<Long, Long> ownMemory,
    String heldBy,
    String drained) {

  /** Stands before the whole name of a model. */
  public static final String EXACTLY = "=";

  /**
   * The load of a device.
   *
   * @param tasks number of tasks that share it
   * @param mostTasks maximum number of tasks by the lowest of their {@code perGpu} limits, 0 for no
   *     limit
   * @param percent sum of their known utilisation
   * @param types types of the tasks that have one
   */
  public record Load(int tasks, int mostTasks, int percent, Set<JobType> types) {
    /** The load of a device without tasks. */
    public static final Load NONE = new Load(0, 0, 0, Set.of());

    private static final int ALL = 100;

    public Load {
      types = Set.copyOf(types);
    }

    /**
     * Returns the load with one more task.
     *
     * @param type its type, or null
     */
    public Load plus(ResourceRequest needs, JobType type) {
      int most =
          mostTasks == 0 || needs.perGpu() == 0
              ? Math.max(mostTasks, needs.perGpu())
              : Math.min(mostTasks, needs.perGpu());
      return new Load(tasks + 1, most, percent + needs.gpuPercent(), typesWith(type));
    }

    private Set<JobType> typesWith(JobType type) {
      if (type == null || types.contains(type)) {
        return types;
      }
      Set<JobType> all = new HashSet<>(types);
      all.add(type);
      return all;
    }

    /** Returns whether one more task would exceed a {@code perGpu} limit. */
    boolean isFullFor(ResourceRequest needs) {
      Load with = plus(needs, null);
      return with.mostTasks > 0 && with.tasks > with.mostTasks;
    }

    /** Returns whether one more task would raise the utilisation above 100 %. */
    boolean isTooBusyFor(ResourceRequest needs) {
      return tasks > 0 && needs.gpuPercent() > 0 && percent + needs.gpuPercent() > ALL;
    }
  }

  /** Creates the offer of a device that is not drained. */
  public DeviceOffer(
      DeviceId id,
      String model,
      long totalMemory,
      long freeMemory,
      Standing standing,
      Load load,
      Map<Long, Long> ownMemory,
      String heldBy) {
    this(id, model, totalMemory, freeMemory, standing, load, ownMemory, heldBy, null);
  }

  /** Creates the offer of a device that no other process holds. */
  public DeviceOffer(
      DeviceId id,
      String model,
      long totalMemory,
      long freeMemory,
      Standing standing,
      Load load,
      Map<Long, Long> ownMemory) {
    this(id, model, totalMemory, freeMemory, standing, load, ownMemory, null);
  }

  /** Creates the offer of a device without load. */
  public DeviceOffer(
      DeviceId id, String model, long totalMemory, long freeMemory, Standing standing) {
    this(id, model, totalMemory, freeMemory, standing, Load.NONE, Map.of());
  }

  /** Whether and how a device may be lent. */
  public enum Standing {
    /** No task uses it. */
    FREE,
    /** Tasks share its memory. */
    SHARED,
    /** A task has it exclusively. */
    TAKEN,
    /** It is lost, does not answer, or is held by another process. */
    UNFIT,
    /** A user has drained it: tasks that have it go on, but it gets no more. */
    DRAINING
  }

  public DeviceOffer {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(standing, "standing");
    ownMemory = Map.copyOf(ownMemory);
    if ((standing == Standing.DRAINING) != (drained != null)) {
      throw new IllegalArgumentException(
          "drained must be given for DRAINING only but is " + drained + " for " + standing);
    }
  }

  /**
   * Returns whether the model's name contains {@code wanted}, or one of several texts between
   * {@code |}, or is what follows if that begins with {@value #EXACTLY}; true for null. Upper and
   * lower case, and blanks and hyphens, count as equal: Kubernetes labels have hyphens for the
   * blanks.
   */
  public boolean isModel(String wanted) {
    return matches(model, wanted);
  }

  /** Returns whether a model's name is one that is wanted, as {@link #isModel} says. */
  public static boolean matches(String model, String wanted) {
    if (wanted == null) {
      return true;
    }
    if (wanted.startsWith(EXACTLY)) {
      return plain(model).equals(plain(wanted.substring(EXACTLY.length())));
    }
    String name = plain(model);
    int from = 0;
    for (int end = wanted.indexOf('|'); end >= 0; end = wanted.indexOf('|', from)) {
      if (name.contains(plain(wanted.substring(from, end)))) {
        return true;
      }
      from = end + 1;
    }
    return name.contains(plain(wanted.substring(from)));
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replace('-', ' ');
  }

  /** Returns whether it has the requested model and, for a bound process, is one of its devices. */
  public boolean isWanted(ResourceRequest needs) {
    return isModel(needs.gpuModel())
        && (needs.bound() == null || needs.bound().devices().contains(id));
  }

  /** Returns the bytes that the bound process already uses, 0 for other tasks. */
  long ownMemory(ResourceRequest needs) {
    return needs.bound() == null ? 0 : ownMemory.getOrDefault(needs.bound().pid(), 0L);
  }

  /** Returns a copy that is drained; the reason is empty if none is given. */
  public DeviceOffer draining(String reason) {
    return new DeviceOffer(
        id, model, totalMemory, freeMemory, Standing.DRAINING, load, ownMemory, heldBy, reason);
  }

  /** Returns a copy without any use, which is not drained. */
  DeviceOffer emptied() {
    return new DeviceOffer(id, model, totalMemory, totalMemory, Standing.FREE);
  }

  /** Returns a copy without any use; a drained device stays so. */
  DeviceOffer vacated() {
    return drained == null ? emptied() : emptied().draining(drained);
  }
}
