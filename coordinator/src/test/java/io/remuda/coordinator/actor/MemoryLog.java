package io.remuda.coordinator.actor;

import io.remuda.coordinator.commit.CoordinatorPersistence;
import io.remuda.coordinator.commit.DurableLog;
import io.remuda.coordinator.store.JobChangeRowConverter;
import io.remuda.coordinator.store.StoreState;
import io.remuda.coordinator.store.row.StoreChange;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A log in memory: what is appended is durable at once, or when the test says so. */
public final class MemoryLog implements DurableLog {

  private final List<StoreChange> entries = new ArrayList<>();
  private final List<Runnable> waiting = new ArrayList<>();
  private boolean stalled;
  private String trouble;

  /** An empty state without a file, over this log. */
  public CoordinatorPersistence durable() {
    StoreState empty =
        new StoreState(
            3, 1, 1, List.of(), Map.of(), Map.of(), List.of(), Map.of(), Map.of(), List.of());
    return new CoordinatorPersistence(
        this, empty, new JobChangeRowConverter(empty, Clock.systemUTC()), 0);
  }

  @Override
  public void append(List<StoreChange> more, Runnable committed) {
    entries.addAll(more);
    waiting.add(committed);
    if (!stalled) {
      goOn();
    }
  }

  @Override
  public Optional<String> trouble() {
    return Optional.ofNullable(trouble);
  }

  /** From now on nothing becomes durable. */
  void stall() {
    stalled = true;
  }

  /** The disk refuses to be written, with this message. */
  void fail(String why) {
    trouble = why;
  }

  /** All that waits is durable now. */
  void goOn() {
    stalled = false;
    List.copyOf(waiting).forEach(Runnable::run);
    waiting.clear();
  }

  /** All rows so far, whether they are durable or not. */
  List<StoreChange> entries() {
    return List.copyOf(entries);
  }
}
