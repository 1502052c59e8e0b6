package io.remuda.coordinator.ensemble;

import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides how to react to trainings that wait. Waiting for a GPU is normal while others train,
 * unless no GPU answers for 10 s. Waiting for memory is reported once.
 */
final class WaitingTrainingRule {

  private static final Duration WITHOUT_GPUS = Duration.ofSeconds(10);

  private long hopelessSince;
  private boolean toldOfMemory;
  private boolean toldOfGpus;

  /**
   * @param now monotonic nanoseconds, here and below
   */
  WaitingTrainingRule(long now) {
    hopelessSince = now;
  }

  /** Returns whether trainings have waited for a GPU for 10 s in which no GPU has answered. */
  boolean areHopeless(ClusterEvent.Waiting event, boolean allNodesHeard, long now) {
    boolean hopeless =
        allNodesHeard
            && !event.anyDeviceAnswers()
            && reason(event, WaitReason.TooFewFreeGpus.class).isPresent();
    if (!hopeless) {
      hopelessSince = now;
    } else if (now - hopelessSince > WITHOUT_GPUS.toNanos()) {
      hopelessSince = now;
      return true;
    }
    return false;
  }

  /** Returns why no node can ever run a training; empty if one may have enough memory later. */
  Optional<String> impossible(ClusterEvent.Waiting event) {
    return event.reasons().entrySet().stream()
        .map(Map.Entry::getValue)
        .filter(reasons -> reasons.stream().allMatch(WaitingTrainingRule::neverFits))
        .map(reasons -> (WaitReason.TooLittleMemory) reasons.get(0))
        .map(
            memory ->
                "a training takes about "
                    + (memory.wanted() >> 20)
                    + " MiB and no node allows that, "
                    + memory.node()
                    + " only "
                    + (memory.total() >> 20)
                    + " MiB: request more memory, or give a smaller --test-batch-size")
        .findFirst();
  }

  private static boolean neverFits(WaitReason reason) {
    return reason instanceof WaitReason.TooLittleMemory memory && memory.wanted() > memory.total();
  }

  /** Returns a line the first time that trainings wait for memory. */
  Optional<String> memoryNote(ClusterEvent.Waiting event) {
    Optional<WaitReason.TooLittleMemory> reason = reason(event, WaitReason.TooLittleMemory.class);
    if (toldOfMemory || reason.isEmpty()) {
      return Optional.empty();
    }
    toldOfMemory = true;
    return reason.map(
        memory ->
            "not all trainings fit at once: one takes about "
                + (memory.wanted() >> 20)
                + " MiB, "
                + memory.node()
                + " has "
                + (memory.free() >> 20)
                + " MiB left; the others wait");
  }

  /** Returns a line the first time that trainings wait for a free GPU. */
  Optional<String> gpuNote(ClusterEvent.Waiting event) {
    boolean waits = reason(event, WaitReason.TooFewFreeGpus.class).isPresent();
    if (toldOfGpus || !waits || !event.anyDeviceAnswers()) {
      return Optional.empty();
    }
    toldOfGpus = true;
    int count = event.reasons().size();
    return Optional.of(
        (count == 1 ? "1 training waits" : count + " trainings wait") + " for a free GPU");
  }

  private static <T extends WaitReason> Optional<T> reason(
      ClusterEvent.Waiting event, Class<T> kind) {
    return event.reasons().entrySet().stream()
        .map(Map.Entry<TaskId, List<WaitReason>>::getValue)
        .flatMap(List::stream)
        .filter(kind::isInstance)
        .map(kind::cast)
        .findFirst();
  }
}
