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
   * A heartbeat, sent every second so that the agent detects a stopped worker.
   *
   * @param done steps or items completed so far in this phase
   * @param total total of this phase, 0 when unknown
   * @param phase text for users, such as {@code epoch 1/14}
   */
  record Alive(long done, long total, String phase) implements FromWorker {}

  /** An event with its sequence number. */
  record Happened(long sequence, WorkerEvent event) implements FromWorker {}
}
