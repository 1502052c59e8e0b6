package io.remuda.worker.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** A frame to a worker, sent by its agent or forwarded from the coordinator. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = ToWorker.Acknowledged.class, name = "ack"),
  @JsonSubTypes.Type(value = ToWorker.ItemsGranted.class, name = "granted"),
  @JsonSubTypes.Type(value = ToWorker.NoMoreItems.class, name = "no-more"),
  @JsonSubTypes.Type(value = ToWorker.StopAfterEpoch.class, name = "stop-after-epoch")
})
public sealed interface ToWorker {

  /** The coordinator has received all events up to this sequence number. */
  record Acknowledged(long sequence) implements ToWorker {}

  /** The worker must process items {@code from} (included) to {@code to} (excluded). */
  record ItemsGranted(long request, int from, int to) implements ToWorker {}

  /** No items are left. */
  record NoMoreItems(long request) implements ToWorker {}

  /**
   * A training with snapshots should stop once its current epoch is saved; it answers with {@link
   * WorkerEvent.Stopped}, or with {@link WorkerEvent.Trained} if that epoch is the last. Other work
   * ignores it. It may be sent repeatedly.
   */
  record StopAfterEpoch() implements ToWorker {}
}
