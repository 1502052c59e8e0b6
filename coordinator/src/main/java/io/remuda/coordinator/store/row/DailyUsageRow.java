package io.remuda.coordinator.store.row;

import io.remuda.coordinator.usage.UsageKey;
import io.remuda.coordinator.usage.UsageTotals;

/** What attempts used that ended on one day, of one user, one type and one node. */
public record DailyUsageRow(UsageKey key, UsageTotals totals) {}
