package io.remuda.agent.attempt;

import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.proc.FreeInodes;
import io.remuda.agent.keeper.proc.ResourceShortageClassifier;
import io.remuda.agent.output.ScratchFolders;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.settings.FreeDiskSpaceCheck;
import io.remuda.agent.stream.StreamFileRefusedException;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.LeasedProgramWorkload;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The result of preparing the folder of an order.
 *
 * @param refusal why the order cannot be started; empty if it can
 * @param worker the request to start a built-in worker, without a contact deadline; empty for other
 *     orders
 */
public record TaskFolderPreparation(Optional<TaskEnd> refusal, Optional<SpawnRequest> worker) {

  /** Returns that the order is not started. */
  public static TaskFolderPreparation refused(TaskEnd end) {
    return new TaskFolderPreparation(Optional.of(end), Optional.empty());
  }

  /**
   * Returns why no folder can be prepared now, if the disk is full; blocks while the disk hangs.
   * One answer serves for the orders that are prepared together.
   */
  public static Optional<String> shortage(AgentSettings settings) {
    return FreeDiskSpaceCheck.shortage(settings.folder())
        .or(() -> FreeInodes.shortage(settings.folder()));
  }

  /**
   * Prepares the folder; blocks while the disk hangs.
   *
   * @param folders gives a scratch folder
   * @param devices of this node
   * @param full as {@link #shortage} has it
   */
  public static TaskFolderPreparation of(
      TaskStartOrder order,
      AgentSettings settings,
      Distribution distribution,
      ScratchFolders folders,
      List<DeviceInfo> devices,
      Optional<String> full) {
    if (full.isPresent()) { // its output could not be kept
      return refused(TaskEnd.because(TaskEnd.Kind.NO_ROOM, full.get()));
    }
    TaskFolder folder = TaskFolder.of(settings, order.attempt());
    try {
      folder.prepare(order, settings, folders);
      if (order.workload() instanceof CommandWorkload command
          && SrunStandIn.isFor(command.environment())) {
        SrunStandIn.write(settings.folder());
      }
      return new TaskFolderPreparation(
          Optional.empty(), worker(order, folder, settings, distribution, devices));
    } catch (StreamFileRefusedException refused) {
      return refused(TaskEnd.because(TaskEnd.Kind.CANNOT_START, refused.getMessage()));
    } catch (IOException | RuntimeException fault) { // a path may not be encodable in this locale
      return refused(cannot(folder, fault));
    }
  }

  private static Optional<SpawnRequest> worker(
      TaskStartOrder order,
      TaskFolder folder,
      AgentSettings settings,
      Distribution distribution,
      List<DeviceInfo> devices) {
    boolean worker =
        !(order.workload() instanceof CommandWorkload
            || order.workload() instanceof LeasedProgramWorkload);
    return worker
        ? Optional.of(WorkerLaunchCommand.of(order, folder, settings, distribution, devices, 0))
        : Optional.empty();
  }

  /** Returns the end of an order whose folder or request cannot be made. */
  public static TaskEnd cannot(TaskFolder folder, Exception fault) {
    return TaskEnd.because(
        ResourceShortageClassifier.isOne(fault) ? TaskEnd.Kind.NO_ROOM : TaskEnd.Kind.CANNOT_START,
        "cannot prepare " + folder.path() + ": " + fault);
  }

  /** Returns what comes of a preparation that failed for a reason that may pass. */
  public static TaskFolderPreparation notBegun(Throwable fault) {
    return refused(
        TaskEnd.because(TaskEnd.Kind.NOT_BEGUN, "its folder could not be prepared: " + fault));
  }
}
