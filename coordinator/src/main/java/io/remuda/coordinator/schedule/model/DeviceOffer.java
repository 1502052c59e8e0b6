package io.remuda.coordinator.schedule.model;

import io.remuda.coordinator.profile.JobType;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.GpuShare;
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
 * @param slice whether it is a part of a GPU that the driver has split (MIG), which is never lent
 *     in place of a GPU
 * @param strangers what processes of no task use of it
 * @param rest why it is {@link Standing#RESTING}; otherwise null
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
    String drained,
    boolean slice,
    StrangerMemory strangers,
    GpuRest rest) {

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
   * @param wide number of the tasks that have other devices, too: what slows them here makes those
   *     wait
   */
  public record Load(int tasks, int mostTasks, int percent, Set<JobType> types, int wide) {
    /** The load of a device without tasks. */
    public static final Load NONE = new Load(0, 0, 0, Set.of());

    private static final int ALL = 100;

    public Load {
      types = Set.copyOf(types);
    }

    /** Creates the load of tasks that have no other devices. */
    public Load(int tasks, int mostTasks, int percent, Set<JobType> types) {
      this(tasks, mostTasks, percent, types, 0);
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
      return new Load(
          tasks + 1,
          most,
          percent + needs.gpuPercent(),
          typesWith(type),
          wide + (needs.gpus() > 1 ? 1 : 0));
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

  /** Creates the offer of a whole GPU that is not drained and that no stranger uses. */
  public DeviceOffer(
      DeviceId id,
      String model,
      long totalMemory,
      long freeMemory,
      Standing standing,
      Load load,
      Map<Long, Long> ownMemory,
      String heldBy) {
    this(
        id,
        model,
        totalMemory,
        freeMemory,
        standing,
        load,
        ownMemory,
        heldBy,
        null,
        false,
        StrangerMemory.NONE,
        null);
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
    /** No task uses it, but strangers use too much for a whole device; it may be shared. */
    OCCUPIED,
    /** A task has it exclusively. */
    TAKEN,
    /** It is lost, does not answer, or is held by another process. */
    UNFIT,
    /** Programs failed on it one after the other, while they do well elsewhere; for a time. */
    RESTING,
    /** A user has drained it: tasks that have it go on, but it gets no more. */
    DRAINING
  }

  public DeviceOffer {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(standing, "standing");
    Objects.requireNonNull(strangers, "strangers");
    ownMemory = Map.copyOf(ownMemory);
    if ((standing == Standing.DRAINING) != (drained != null)) {
      throw new IllegalArgumentException(
          "drained must be given for DRAINING only but is " + drained + " for " + standing);
    }
    if ((standing == Standing.RESTING) != (rest != null)) {
      throw new IllegalArgumentException(
          "rest must be given for RESTING only but is " + rest + " for " + standing);
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

  /**
   * Returns whether the text asks for slices of GPUs (MIG): it has the word MIG, or a profile such
   * as {@code 1g.10gb}; of several texts between {@code |}, whether the first does.
   */
  public static boolean asksForSlices(String wanted) {
    if (wanted == null) {
      return false;
    }
    int end = wanted.indexOf('|');
    for (int at = 0; at < (end < 0 ? wanted.length() : end); at++) {
      if (isWord(wanted, at, "mig") || isProfile(wanted, at)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isWord(String text, int at, String word) { // no pattern: it runs often
    int end = at + word.length();
    return text.regionMatches(true, at, word, 0, word.length())
        && (at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1)))
        && (end == text.length() || !Character.isLetterOrDigit(text.charAt(end)));
  }

  /** Returns whether the {@code g.} of a profile such as {@code 1g.10gb} is there. */
  private static boolean isProfile(String text, int at) {
    return at > 0
        && text.regionMatches(true, at, "g.", 0, 2)
        && Character.isDigit(text.charAt(at - 1))
        && at + 2 < text.length()
        && Character.isDigit(text.charAt(at + 2));
  }

  /**
   * Returns whether a task may have it if it is idle: it has the requested model, and is a whole
   * GPU, or a slice of one for a task that asks for slices or for no more than memory. A CUDA
   * process sees one slice only, so no task gets two. A bound process gets its own devices.
   */
  public boolean isWanted(ResourceRequest needs) {
    if (needs.bound() != null) {
      return needs.bound().devices().contains(id);
    }
    return isModel(needs.gpuModel()) && isKind(needs);
  }

  private boolean isKind(ResourceRequest needs) {
    boolean asked = asksForSlices(needs.gpuModel());
    return slice
        ? needs.gpus() == 1 && (asked || needs.gpuShare() instanceof GpuShare.Bytes)
        : !asked;
  }

  /** Returns the bytes that the bound process already uses, 0 for other tasks. */
  long ownMemory(ResourceRequest needs) {
    return needs.bound() == null ? 0 : ownMemory.getOrDefault(needs.bound().pid(), 0L);
  }

  /** Returns a copy that is drained; the reason is empty if none is given. */
  public DeviceOffer draining(String reason) {
    return with(freeMemory, Standing.DRAINING, load, reason, strangers, null);
  }

  /** Returns a copy that is a slice of a GPU. */
  public DeviceOffer asSlice() {
    return new DeviceOffer(
        id,
        model,
        totalMemory,
        freeMemory,
        standing,
        load,
        ownMemory,
        heldBy,
        drained,
        true,
        strangers,
        rest);
  }

  /** Returns a copy that strangers use; a free device with too many of them is occupied. */
  public DeviceOffer usedBy(StrangerMemory others) {
    Standing now = standing == Standing.FREE && others.isTooMuch() ? Standing.OCCUPIED : standing;
    return with(freeMemory, now, load, drained, others, rest);
  }

  /** Returns a copy that rests if it could be lent otherwise. */
  public DeviceOffer resting(GpuRest why) {
    boolean lent =
        standing == Standing.FREE || standing == Standing.SHARED || standing == Standing.OCCUPIED;
    return lent ? with(freeMemory, Standing.RESTING, load, drained, strangers, why) : this;
  }

  private DeviceOffer with(
      long free, Standing as, Load under, String drain, StrangerMemory others, GpuRest pause) {
    return new DeviceOffer(
        id, model, totalMemory, free, as, under, ownMemory, heldBy, drain, slice, others, pause);
  }

  /** Returns a copy without any use, which is not drained. */
  DeviceOffer emptied() {
    DeviceOffer empty = new DeviceOffer(id, model, totalMemory, totalMemory, Standing.FREE);
    return slice ? empty.asSlice() : empty;
  }

  /** Returns a copy without tasks; a drained device stays so, and strangers stay. */
  DeviceOffer vacated() {
    if (drained != null) {
      return emptied().draining(drained);
    }
    return strangers.isTooMuch()
        ? emptied()
            .with(
                Math.max(0, totalMemory - strangers.bytes()),
                Standing.OCCUPIED,
                Load.NONE,
                null,
                strangers,
                null)
        : emptied();
  }
}
