package io.remuda.coordinator.schedule;

import static io.remuda.coordinator.schedule.ScheduleSamples.DEVICE_MEMORY;
import static io.remuda.coordinator.schedule.ScheduleSamples.H200;
import static io.remuda.coordinator.schedule.ScheduleSamples.PID;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.DeviceOffer.Standing;
import io.remuda.coordinator.schedule.model.StrangerMemory;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Builds the offer of a device. */
public final class DeviceBuilder {
  private final DeviceId id;
  private String model = H200;
  private long total = DEVICE_MEMORY;
  private long free = DEVICE_MEMORY;
  private Standing standing = Standing.FREE;
  private DeviceOffer.Load load = DeviceOffer.Load.NONE;
  private Map<Long, Long> own = Map.of();
  private String heldBy;
  private String drained;
  private boolean slice;
  private StrangerMemory strangers = StrangerMemory.NONE;

  DeviceBuilder(String uuid) {
    id = new DeviceId(uuid);
  }

  public DeviceBuilder model(String name) {
    model = name;
    return this;
  }

  public DeviceBuilder memory(long freeBytes, long totalBytes) {
    free = freeBytes;
    total = totalBytes;
    return this;
  }

  /** It is not in use, but has only so many bytes free. */
  public DeviceBuilder free(long bytes) {
    free = bytes;
    return this;
  }

  /** Tasks share it and leave so many bytes. */
  public DeviceBuilder shared(long freeBytes) {
    free = freeBytes;
    standing = Standing.SHARED;
    load = load.tasks() > 0 ? load : new DeviceOffer.Load(1, 0, 0, Set.of());
    return this;
  }

  public DeviceBuilder taken() {
    free = 0;
    standing = Standing.TAKEN;
    return this;
  }

  public DeviceBuilder unfit() {
    standing = Standing.UNFIT;
    return this;
  }

  /** A process outside all tasks holds it. */
  public DeviceBuilder heldBy(String process) {
    heldBy = process;
    return unfit();
  }

  /** A user has drained it; the reason is empty if none is given. */
  public DeviceBuilder drained(String reason) {
    drained = reason;
    return this;
  }

  /** It is a part of a GPU that the driver has split. */
  public DeviceBuilder slice() {
    slice = true;
    return this;
  }

  /** Processes of no task use so many of its bytes, of which 5 are tolerated. */
  public DeviceBuilder strangers(long bytes) {
    strangers = new StrangerMemory(bytes, 5, List.of(new DeviceProcess(PID, bytes)));
    free = Math.min(free, total - bytes);
    return this;
  }

  public DeviceBuilder load(int tasks, int mostTasks, int percent, JobType... types) {
    load = new DeviceOffer.Load(tasks, mostTasks, percent, Set.of(types));
    standing = tasks > 0 ? Standing.SHARED : standing;
    return this;
  }

  /**
   * The process {@link ScheduleSamples#PID}, which belongs to no task on it, uses so many of its
   * bytes.
   */
  public DeviceBuilder own(long bytes) {
    own = Map.of(PID, bytes);
    return this;
  }

  public DeviceOffer offer() {
    DeviceOffer offer = new DeviceOffer(id, model, total, free, standing, load, own, heldBy);
    offer = (slice ? offer.asSlice() : offer).usedBy(strangers);
    return drained == null ? offer : offer.draining(drained);
  }
}
