package io.remuda.coordinator.cluster;

/** Answers requests of other members on the leader, by its own routes. Thread-safe. */
public interface ForwardedRequestResponder {

  /** Sends the answer to the request's sender; does not block. */
  void answer(LeaderCommand.ForwardedRequest request);
}
