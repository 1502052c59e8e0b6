package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.LiveClusterView;
import io.remuda.coordinator.cluster.KnownLeader;
import io.remuda.coordinator.live.LiveFeed;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.store.StoreReader;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.CompletionStage;

/** Looks at what happens, for those who look on: at the coordinator and at the store. */
final class LiveSights {

  private static final long HOUR_MILLIS = 3_600_000;

  /** Failures are counted so often: of many, it takes a while. */
  private static final long COUNT_MILLIS = 10_000;

  private final RestBackend backend;
  private final KnownLeader leader;
  private final Clock clock;
  private long countedAt; // by one look at a time
  private int failed;

  LiveSights(RestBackend backend, KnownLeader leader, Clock clock) {
    this.backend = backend;
    this.leader = leader;
    this.clock = clock;
  }

  CompletionStage<LiveFeed.Sight> look() {
    CompletionStage<LiveClusterView> view = backend.live();
    return backend
        .query(this::records)
        .thenCombine(
            view,
            (records, seen) -> new LiveFeed.Sight(seen, records, leader.notice().orElse(null)));
  }

  private LiveFeed.Records records(StoreReader reader) throws IOException {
    long now = clock.millis();
    if (Math.abs(now - countedAt) >= COUNT_MILLIS) {
      failed = reader.failedSince(now - HOUR_MILLIS);
      countedAt = now;
    }
    return new LiveFeed.Records(failed, reader.lastEvent());
  }
}
