package io.remuda.coordinator.cluster;

import java.util.concurrent.CompletionStage;

/** The other members, as one of them asks about them. Thread-safe; does not block. */
interface PeerDatabaseProbe {

  /** Returns whether one that could lead at once reaches the state. */
  CompletionStage<Boolean> oneReachesState();
}
