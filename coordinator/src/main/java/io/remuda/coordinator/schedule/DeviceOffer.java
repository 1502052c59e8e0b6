package io.remuda.coordinator.schedule;

import io.remuda.coordinator.profile.JobType;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.ResourceRequest;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A device as the scheduler sees it.
 *
 * @param id its UUID; the same device may be seen by several nodes of one machine
 * @param model product name
 * @param totalMemory in bytes that tasks may use at most, 0 if not known
 * @param freeMemory in bytes that neither tasks nor others use or have been promised
 * @param standing whether and how it may be lent
 * @param load of the tasks that share it
 * @param ownMemory bytes, by process number, that would be free besides for a process which uses it
 *     already and belongs to no task of it
 * @param heldBy who else has it, in words, as far as was heard; null if nobody has
 */
public record DeviceOffer(
    DeviceId id,
    String model,
    long totalMemory,
    long freeMemory,
    Standing standing,
    Load load,
    Map<Long, Long> ownMemory,
    String heldBy) {

  /**
   * What shares a device.
   *
   * @param tasks how many
   * @param mostTasks how many of them suffer each other, 0 if that does not matter
   * @param percent how busy they keep it together, as far as is known
   * @param types of those that have one
   */
  public record Load(int tasks, int mostTasks, int percent, Set<JobType> types) {
    /** Of a device that nobody has. */
    public static final Load NONE = new Load(0, 0, 0, Set.of());

    private static final int ALL = 100;

    public Load {
      types = Set.copyOf(types);
    }

    /**
     * With one more, which {@code needs} describes.
     *
     * @param type or null if it has none
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

    /** Whether it suffers no more than so many tasks. */
    boolean isFullFor(ResourceRequest needs) {
      Load with = plus(needs, null);
      return with.mostTasks > 0 && with.tasks > with.mostTasks;
    }

    /** Whether one more would keep the device busier than it can be. */
    boolean isTooBusyFor(ResourceRequest needs) {
      return tasks > 0 && needs.gpuPercent() > 0 && percent + needs.gpuPercent() > ALL;
    }
  }

  /** A device that nobody else has. */
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

  /** A device that tasks without a load share, if any. */
  public DeviceOffer(
      DeviceId id, String model, long totalMemory, long freeMemory, Standing standing) {
    this(id, model, totalMemory, freeMemory, standing, Load.NONE, Map.of());
  }

  /** Whether and how a device may be lent. */
  public enum Standing {
    /** Nobody has it. */
    FREE,
    /** Tasks share it by its memory. */
    SHARED,
    /** A task has all of it. */
    TAKEN,
    /** It is lost, does not answer, or somebody else holds it. */
    UNFIT
  }

  public DeviceOffer {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(standing, "standing");
    ownMemory = Map.copyOf(ownMemory);
  }

  /** Whether a part of the model's name is as wanted, in any case; any will do for null. */
  public boolean isModel(String wanted) {
    return wanted == null
        || model.toLowerCase(Locale.ROOT).contains(wanted.toLowerCase(Locale.ROOT));
  }

  /** Whether it is of the model and, if only some devices will do, one of these. */
  public boolean isWanted(ResourceRequest needs) {
    return isModel(needs.gpuModel())
        && (needs.bound() == null || needs.bound().devices().contains(id));
  }

  /** Bytes that a process which is bound to it has of it already. */
  long ownMemory(ResourceRequest needs) {
    return needs.bound() == null ? 0 : ownMemory.getOrDefault(needs.bound().pid(), 0L);
  }

  /** The same device if nobody had anything of it. */
  DeviceOffer emptied() {
    return new DeviceOffer(id, model, totalMemory, totalMemory, Standing.FREE);
  }
}
