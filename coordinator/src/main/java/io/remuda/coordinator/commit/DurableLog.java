package io.remuda.coordinator.commit;

import io.remuda.coordinator.meter.DurationHistogram;
import io.remuda.coordinator.store.row.StoreChange;
import java.util.List;
import java.util.Optional;

/** Makes changes durable before they are reported. */
public interface DurableLog {

  /** Runs {@code committed} once the entries are durable: on any thread, in the order of calls. */
  void append(List<StoreChange> entries, Runnable committed);

  /** Returns how long the disk or database took to make what was appended safe. */
  default DurationHistogram.Reading syncs() {
    return DurationHistogram.quick().reading();
  }

  /** Returns why entries cannot be made durable at present, or empty if they can. */
  Optional<String> trouble();
}
