package io.remuda.worker.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/**
 * What a worker tells once and wants to be sure of: each event has a sequence number from 1 and is
 * sent again until it is acknowledged by the coordinator.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
  @JsonSubTypes.Type(value = WorkerEvent.Said.class, name = "said"),
  @JsonSubTypes.Type(value = WorkerEvent.EpochDone.class, name = "epoch"),
  @JsonSubTypes.Type(value = WorkerEvent.ItemsWanted.class, name = "wanted"),
  @JsonSubTypes.Type(value = WorkerEvent.ItemsDone.class, name = "items"),
  @JsonSubTypes.Type(value = WorkerEvent.Trained.class, name = "trained"),
  @JsonSubTypes.Type(value = WorkerEvent.PoolDone.class, name = "pool-done"),
  @JsonSubTypes.Type(value = WorkerEvent.Failed.class, name = "failed")
})
public sealed interface WorkerEvent {

  /** Whether this is the last event of a worker; it exits once this one is acknowledged. */
  default boolean isLast() {
    return false;
  }

  /** A line for people. */
  record Said(String text) implements WorkerEvent {}

  /**
   * One epoch of training is over.
   *
   * @param epoch counts from 1
   * @param accuracy percent of the test images that were recognised, 0 to 100
   * @param seconds wall time of training and testing
   */
  record EpochDone(
      int epoch, int epochs, double trainLoss, double testLoss, double accuracy, double seconds)
      implements WorkerEvent {}

  /** The worker is free for another range of items; answered by the event's sequence number. */
  record ItemsWanted() implements WorkerEvent {}

  /** The items {@code from} (included) to {@code to} (excluded) were worked on. */
  record ItemsDone(int from, int to, List<ItemFailure> failures) implements WorkerEvent {
    public ItemsDone {
      failures = List.copyOf(failures);
    }
  }

  /** One item could not be worked on. */
  record ItemFailure(int item, String cause) {}

  /** The result of a training, from its last epoch. */
  record Trained(double learningRate, double testLoss, double accuracy) implements WorkerEvent {
    @Override
    public boolean isLast() {
      return true;
    }
  }

  /** A worker of a pool has learned that there are no more items. */
  record PoolDone(int items) implements WorkerEvent {
    @Override
    public boolean isLast() {
      return true;
    }
  }

  /** The workload failed by itself; running it again would fail again. */
  record Failed(String cause) implements WorkerEvent {
    @Override
    public boolean isLast() {
      return true;
    }
  }
}
