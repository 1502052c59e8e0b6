package io.remuda.worker.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** A frame from a worker to its agent. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = FromWorker.Alive.class, name = "alive"),
  @JsonSubTypes.Type(value = FromWorker.Happened.class, name = "event")
})
public sealed interface FromWorker {

  /**
   * Sent every second, so that a stopped worker is noticed.
   *
   * @param done steps or items worked on so far in this phase
   * @param total of them, 0 when not known
   * @param phase for people, such as {@code epoch 1/14}
   */
  record Alive(long done, long total, String phase) implements FromWorker {}

  /** An event with its sequence number. */
  record Happened(long sequence, WorkerEvent event) implements FromWorker {}
}
