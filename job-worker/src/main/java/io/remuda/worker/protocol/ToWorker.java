package io.remuda.worker.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** A frame to a worker, from its agent or through it from the coordinator. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = ToWorker.Acknowledged.class, name = "ack"),
  @JsonSubTypes.Type(value = ToWorker.ItemsGranted.class, name = "granted"),
  @JsonSubTypes.Type(value = ToWorker.NoMoreItems.class, name = "no-more")
})
public sealed interface ToWorker {

  /** All events up to this sequence number have reached the coordinator. */
  record Acknowledged(long sequence) implements ToWorker {}

  /** Work on items {@code from} (included) to {@code to} (excluded). */
  record ItemsGranted(long request, int from, int to) implements ToWorker {}

  /** There are no items left. */
  record NoMoreItems(long request) implements ToWorker {}
}
