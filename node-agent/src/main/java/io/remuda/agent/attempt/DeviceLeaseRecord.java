package io.remuda.agent.attempt;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.LeasedProgramWorkload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The note in the folder of a lease, which outlives this agent and its keeper.
 *
 * @param pid pid of the program
 * @param startTicks distinguishes its process from a later one with the same pid
 * @param devices UUIDs of its devices
 */
public record DeviceLeaseRecord(long pid, long startTicks, List<String> devices) {

  private static final String FILE = "lease";
  private static final String BACK = "given-back";

  /**
   * The result that a program has reported when it gave its devices back.
   *
   * @param error end of the error text, or null
   * @param again whether it would retry with more memory
   */
  public record GivenBack(boolean succeeded, String error, boolean again) {}

  public DeviceLeaseRecord {
    devices = List.copyOf(devices);
  }

  public static DeviceLeaseRecord of(LeasedProgramWorkload lease, List<DeviceId> devices) {
    return new DeviceLeaseRecord(
        lease.pid(), lease.startTicks(), devices.stream().map(DeviceId::uuid).toList());
  }

  void write(Path folder) throws IOException {
    SmallJsonFiles.write(folder, FILE, this);
  }

  /** Returns whether {@link #read} finds a note. */
  static boolean isIn(Path folder) {
    return SmallJsonFiles.isThere(folder, FILE);
  }

  /** Returns the note; empty if the task is not a lease. */
  static Optional<DeviceLeaseRecord> read(Path folder) {
    return SmallJsonFiles.read(folder, FILE, DeviceLeaseRecord.class);
  }

  public static void giveBack(Path folder, GivenBack how) throws IOException {
    SmallJsonFiles.write(folder, BACK, how);
  }

  /** Returns the result; empty if the program has not given its devices back. */
  public static Optional<GivenBack> givenBack(Path folder) {
    return SmallJsonFiles.read(folder, BACK, GivenBack.class);
  }
}
