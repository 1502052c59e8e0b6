package io.remuda.coordinator.occupancy;

import io.remuda.coordinator.api.JobWait;
import io.remuda.coordinator.api.QueueCounts;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Says why nobody has a GPU at a moment, as far as that is known. Pure. */
final class GpuGaps {

  /** No task that wants GPUs was waiting and could have been there. */
  static final String NOBODY_WAITED = "nobody-waited";

  /** The tasks that waited want more of its memory than is free, or than it has. */
  static final String MEMORY_TOO_SMALL = "memory-too-small";

  /** It is kept for a job that is ahead. */
  static final String KEPT_FOR = "kept-for";

  /** It, or its node, is drained. */
  static final String DRAINED = "drained";

  /** Its node does not answer, or it is lost itself. */
  static final String AWAY = "away";

  /** Its node gets no tasks for a time. */
  static final String PAUSED = "node-paused";

  /** Programs failed on it, and it rests. */
  static final String RESTING = "resting";

  /** Nothing says why. */
  static final String UNKNOWN = "unknown";

  /** Waiting jobs whose reasons are looked at. */
  private static final int MOST_JOBS = 20;

  /**
   * Why nobody has it, and the job that it is kept for, or that free GPUs are too few for, or 0.
   */
  record Gap(String reason, long keptFor) {}

  private final Map<String, Gap> refused = new HashMap<>();
  private final Gap elsewhere;

  /**
   * Looks at the jobs that wait for GPUs.
   *
   * @param reasons of all that waits; {@link QueueCounts#NOT_LOOKED_AT} is of jobs that may want
   *     GPUs
   */
  GpuGaps(List<JobWait> waits, Set<String> reasons) {
    Gap ofAll = null;
    int looked = 0;
    boolean all = !reasons.contains(QueueCounts.NOT_LOOKED_AT);
    for (JobWait wait : waits) {
      all &= !wait.gpus() || looked < MOST_JOBS;
      if (wait.gpus() && looked < MOST_JOBS) {
        looked++;
        for (WaitReason reason : wait.reasons()) {
          if (reason instanceof WaitReason.OfNode ofNode) {
            refused.putIfAbsent(ofNode.node(), gap(reason, wait.job()));
          } else if (ofAll == null && !isNotYet(reason)) {
            ofAll = gap(reason, wait.job());
          }
        }
      }
    }
    elsewhere = ofAll == null ? new Gap(all ? NOBODY_WAITED : UNKNOWN, 0) : ofAll;
  }

  /** Returns whether its job would not have started on an empty node either. */
  private static boolean isNotYet(WaitReason reason) {
    return reason instanceof WaitReason.OnHold
        || reason instanceof WaitReason.AfterJob
        || reason instanceof WaitReason.AfterOneOf
        || reason instanceof WaitReason.BeginsLater
        || reason instanceof WaitReason.PauseBeforeRetry;
  }

  private static Gap gap(WaitReason reason, JobId job) {
    if (reason instanceof WaitReason.HeldForOther held) {
      return new Gap(KEPT_FOR, held.job().value());
    }
    if (reason instanceof WaitReason.TooFewFreeGpus) {
      return new Gap(reason.label(), job.value());
    }
    return reason instanceof WaitReason.TooLittleGpuMemory
            || reason instanceof WaitReason.NoRoomOnGpus
        ? new Gap(MEMORY_TOO_SMALL, 0)
        : new Gap(reason.label(), 0);
  }

  /** Returns why nobody has a device. */
  Gap of(NodeOffer node, DeviceOffer device) {
    if (node.presence() == NodeOffer.Presence.SILENT
        || device.standing() == DeviceOffer.Standing.UNFIT) {
      return new Gap(AWAY, 0);
    }
    if (node.presence() == NodeOffer.Presence.DRAINING
        || device.standing() == DeviceOffer.Standing.DRAINING) {
      return new Gap(DRAINED, 0);
    }
    if (node.presence() == NodeOffer.Presence.PAUSED) {
      return new Gap(PAUSED, 0);
    }
    if (device.standing() == DeviceOffer.Standing.RESTING) {
      return new Gap(RESTING, 0);
    }
    return refused.getOrDefault(node.node(), elsewhere);
  }
}
