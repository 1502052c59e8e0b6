package io.remuda.coordinator.schedule;

import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.stream.Stream;

/**
 * Builders for the inputs of the scheduler. Unless a test says otherwise a node is ready and empty
 * with 4 cores and {@value #NODE_MEMORY} bytes, a device is a free H200 with {@value
 * #DEVICE_MEMORY} bytes, a task needs nothing, and a task class has one task of ann's.
 */
public final class ScheduleSamples {
  public static final long NODE_CPUS = 4000;
  public static final long NODE_MEMORY = 1000;

  /** Of these {@link ResourceRequest#nearlyAll} is 96. */
  public static final long DEVICE_MEMORY = 100;

  public static final String H200 = "NVIDIA H200";
  public static final long PID = 4711;

  private ScheduleSamples() {}

  public static NodeBuilder node(String name, DeviceBuilder... devices) {
    return new NodeBuilder(name, List.of(devices));
  }

  public static DeviceBuilder device(String uuid) {
    return new DeviceBuilder(uuid);
  }

  public static NeedsBuilder needs() {
    return new NeedsBuilder();
  }

  /** Tasks {@code job.0}, {@code job.1} and so on. */
  public static LineBuilder tasks(long job, int count) {
    return new LineBuilder(job, count);
  }

  /** A type of ann's. */
  public static JobType type(String name) {
    return new JobType("ann", name);
  }

  public static List<DeviceId> ids(String... uuids) {
    return Stream.of(uuids).map(DeviceId::new).toList();
  }

  /** The line that a user reads for a reason. */
  public static String text(WaitReason reason) {
    return WaitText.lines(List.of(reason)).get(0);
  }
}
