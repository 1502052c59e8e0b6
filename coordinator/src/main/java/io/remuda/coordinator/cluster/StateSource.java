package io.remuda.coordinator.cluster;

import io.remuda.coordinator.store.Store;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Where a coordinator that begins to lead gets its state. Thread-safe. */
public interface StateSource {

  /** Takes the state over from the leader before, if there is one; does not block. */
  CompletionStage<Store.Opened> open();

  /** Returns why this build is too old for the state, if it is; may block. */
  default Optional<String> outdated() {
    return Optional.empty();
  }
}
