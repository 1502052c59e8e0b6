package io.remuda.coordinator.commit;

import io.remuda.coordinator.meter.DurationHistogram;
import io.remuda.coordinator.store.JournalWriter;
import io.remuda.coordinator.store.row.StoreChange;
import java.util.List;
import java.util.Optional;

/** The journal of a state file as the coordinator's log. */
public record JournalLog(JournalWriter journal) implements DurableLog {

  @Override
  public void append(List<StoreChange> entries, Runnable committed) {
    journal.append(entries, committed);
  }

  @Override
  public DurationHistogram.Reading syncs() {
    return journal.syncs();
  }

  @Override
  public Optional<String> trouble() {
    return journal.trouble();
  }
}
