package io.remuda.coordinator.service;

import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.query.JobQuery;
import io.remuda.coordinator.store.query.JobQuery.JobFilter;
import io.remuda.coordinator.store.row.JobRow;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;

/** Ends a service once it has had no job for some time. Looks once a second. */
final class IdleEnd {

  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final StoreReader reader;
  private final Duration limit;
  private final Runnable end;
  private final ServerIdleTime timer = new ServerIdleTime(System.nanoTime());

  private IdleEnd(StoreReader reader, Duration limit, Runnable end) {
    this.reader = reader;
    this.limit = limit;
    this.end = end;
  }

  /**
   * Begins to look, until the system ends.
   *
   * @param end called at each look once the service has been idle for longer than {@code limit}
   */
  static void watch(ActorSystem<?> system, StoreReader reader, Duration limit, Runnable end) {
    system
        .scheduler()
        .scheduleWithFixedDelay(
            PERIOD,
            PERIOD,
            new IdleEnd(reader, limit, end)::look,
            system
                .dispatchers()
                .lookup(DispatcherSelector.fromConfig("remuda.blocking-dispatcher")));
  }

  private void look() {
    try {
      boolean live = !newest(JobFilter.LIVE).isEmpty();
      List<JobRow> all = newest(JobFilter.ALL);
      timer.look(live, all.isEmpty() ? 0 : all.get(0).id().value(), System.nanoTime());
    } catch (IOException unreadable) {
      timer.busy(System.nanoTime()); // its disk stands still, perhaps
    }
    if (timer.isLongerThan(limit, System.nanoTime())) {
      end.run();
    }
  }

  private List<JobRow> newest(JobFilter which) throws IOException {
    return JobQuery.newest(which, null, 1).ask(reader).rows();
  }
}
