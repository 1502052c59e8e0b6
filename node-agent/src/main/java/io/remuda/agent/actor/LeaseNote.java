package io.remuda.agent.actor;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.LeaseWorkload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What is written down in the folder of a lease, so that it outlives this agent and its keeper.
 *
 * @param pid of the program
 * @param startTicks tell its process from a later one of the same number
 * @param devices that it was lent, by UUID
 */
record LeaseNote(long pid, long startTicks, List<String> devices) {

  private static final String FILE = "lease";
  private static final String BACK = "given-back";

  /**
   * How the program did that gave its devices back.
   *
   * @param error the last words of what went wrong, or null
   * @param again whether it would try again with more memory
   */
  record GivenBack(boolean succeeded, String error, boolean again) {}

  LeaseNote {
    devices = List.copyOf(devices);
  }

  static LeaseNote of(LeaseWorkload lease, List<DeviceId> devices) {
    return new LeaseNote(
        lease.pid(), lease.startTicks(), devices.stream().map(DeviceId::uuid).toList());
  }

  void write(Path folder) throws IOException {
    JsonNotes.write(folder, FILE, this);
  }

  /** Whether {@link #read} finds one. */
  static boolean isIn(Path folder) {
    return JsonNotes.isThere(folder, FILE);
  }

  /** Nothing if the folder is that of another kind of task. */
  static Optional<LeaseNote> read(Path folder) {
    return JsonNotes.read(folder, FILE, LeaseNote.class);
  }

  static void giveBack(Path folder, GivenBack how) throws IOException {
    JsonNotes.write(folder, BACK, how);
  }

  /** Nothing if its program has not given the devices back. */
  static Optional<GivenBack> givenBack(Path folder) {
    return JsonNotes.read(folder, BACK, GivenBack.class);
  }
}
