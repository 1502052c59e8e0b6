package io.remuda.coordinator.store.query;

import io.remuda.coordinator.store.StoreReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which jobs are not removed. */
public final class JobsWithRows {

  /** Numbers in one query. */
  private static final int AT_ONCE = 500;

  private JobsWithRows() {}

  /** Returns those of some jobs that have a row. */
  public static Set<Long> of(StoreReader reader, Set<Long> jobs) throws IOException {
    List<Long> all = new ArrayList<>(jobs);
    Set<Long> found = new HashSet<>();
    for (int from = 0; from < all.size(); from += AT_ONCE) {
      List<Long> some = all.subList(from, Math.min(all.size(), from + AT_ONCE));
      String marks = String.join(", ", Collections.nCopies(some.size(), "?"));
      found.addAll(
          reader.query(
              "SELECT id FROM jobs WHERE id IN (" + marks + ")",
              row -> row.getLong(1),
              some.toArray()));
    }
    return found;
  }
}
