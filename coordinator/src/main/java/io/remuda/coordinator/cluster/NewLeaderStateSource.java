package io.remuda.coordinator.cluster;

import io.remuda.coordinator.store.StoreOpener;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Where a coordinator that begins to lead gets its state. Thread-safe. */
public interface NewLeaderStateSource {

  /** Takes the state over from the leader before, if there is one; does not block. */
  CompletionStage<StoreOpener.Opened> open();

  /** Returns why this build is too old for the state, if it is; may block. */
  default Optional<String> outdated() {
    return Optional.empty();
  }
}
