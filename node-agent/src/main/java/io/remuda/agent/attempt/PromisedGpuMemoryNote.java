package io.remuda.agent.attempt;

import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.GpuShare;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The device memory that a task was promised, as written to its folder.
 *
 * @param devices UUIDs
 * @param bytes bytes on each device
 */
public record PromisedGpuMemoryNote(List<String> devices, long bytes) {

  private static final String FILE = "gpu-promise";

  public PromisedGpuMemoryNote {
    devices = List.copyOf(devices);
  }

  /**
   * Returns the promise of an order; empty for a task without devices, with whole devices, or with
   * a device shared only by {@code perGpu}.
   */
  public static Optional<PromisedGpuMemoryNote> of(TaskStartOrder order) {
    return order.job().request().gpuShare() instanceof GpuShare.Bytes part
            && !order.devices().isEmpty()
        ? Optional.of(
            new PromisedGpuMemoryNote(
                order.devices().stream().map(DeviceId::uuid).toList(), part.bytes()))
        : Optional.empty();
  }

  void write(Path folder) throws IOException {
    SmallJsonFiles.write(folder, FILE, this);
  }

  static Optional<PromisedGpuMemoryNote> read(Path folder) {
    return SmallJsonFiles.read(folder, FILE, PromisedGpuMemoryNote.class);
  }
}
