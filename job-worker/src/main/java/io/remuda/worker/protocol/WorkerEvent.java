package io.remuda.worker.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/**
 * An event that a worker reports reliably: each has a sequence number from 1 and is resent until
 * the coordinator acknowledges it.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
  @JsonSubTypes.Type(value = WorkerEvent.Said.class, name = "said"),
  @JsonSubTypes.Type(value = WorkerEvent.EpochDone.class, name = "epoch"),
  @JsonSubTypes.Type(value = WorkerEvent.ItemsWanted.class, name = "wanted"),
  @JsonSubTypes.Type(value = WorkerEvent.ItemsDone.class, name = "items"),
  @JsonSubTypes.Type(value = WorkerEvent.Trained.class, name = "trained"),
  @JsonSubTypes.Type(value = WorkerEvent.Stopped.class, name = "stopped"),
  @JsonSubTypes.Type(value = WorkerEvent.PoolDone.class, name = "pool-done"),
  @JsonSubTypes.Type(value = WorkerEvent.Failed.class, name = "failed")
})
public sealed interface WorkerEvent {

  /** Returns whether this is a worker's last event; the worker exits once it is acknowledged. */
  default boolean isLast() {
    return false;
  }

  /** A line of text for users. */
  record Said(String text) implements WorkerEvent {}

  /**
   * The end of a training epoch.
   *
   * @param epoch number of the epoch, from 1
   * @param accuracy percentage of test images recognised, 0 to 100
   * @param seconds wall time of training and testing
   */
  record EpochDone(
      int epoch, int epochs, double trainLoss, double testLoss, double accuracy, double seconds)
      implements WorkerEvent {}

  /** A request for a range of items; the answer carries this event's sequence number. */
  record ItemsWanted() implements WorkerEvent {}

  /** The items {@code from} (included) to {@code to} (excluded) were processed. */
  record ItemsDone(int from, int to, List<ItemFailure> failures) implements WorkerEvent {
    public ItemsDone {
      failures = List.copyOf(failures);
    }
  }

  /** An item that could not be processed. */
  record ItemFailure(int item, String cause) {}

  /** The result of a training, from its last epoch. */
  record Trained(double learningRate, double testLoss, double accuracy) implements WorkerEvent {
    @Override
    public boolean isLast() {
      return true;
    }
  }

  /**
   * The end of a training that was asked to stop. The snapshot of its last epoch is durable.
   *
   * @param epoch number of epochs done, at least 1 and less than {@code epochs}
   * @param epochs total number of epochs
   */
  record Stopped(int epoch, int epochs) implements WorkerEvent {
    @Override
    public boolean isLast() {
      return true;
    }
  }

  /** The end of a pool worker: no items are left. */
  record PoolDone(int items) implements WorkerEvent {
    @Override
    public boolean isLast() {
      return true;
    }
  }

  /** The workload itself failed; running it again would fail again. */
  record Failed(String cause) implements WorkerEvent {
    @Override
    public boolean isLast() {
      return true;
    }
  }
}
