package io.remuda.coordinator.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The sums that a table's rows of what is not over have in the file, by which the sum of the whole
 * table follows its changes. One thread.
 *
 * @param <K> what the table's rows are found by
 */
final class LiveTableChecksums<K> {

  private final String table;
  private final Map<K, Long> sums = new HashMap<>();

  /**
   * No row yet.
   *
   * @param table as {@link TableChecksums} names it
   */
  LiveTableChecksums(String table) {
    this.table = table;
  }

  /** The file has such a row. */
  void put(K key, long sum) {
    sums.put(key, sum);
  }

  /** What a commit that may still fail writes. */
  PendingChange<K> draft() {
    return new PendingChange<>(this);
  }

  /** Rows that are not in the file yet. */
  static final class PendingChange<K> {
    private final LiveTableChecksums<K> file;
    private final Map<K, Long> written = new HashMap<>();
    private final List<K> over = new ArrayList<>();

    private PendingChange(LiveTableChecksums<K> file) {
      this.file = file;
    }

    /**
     * A row is new, or is written again.
     *
     * @param isFinal whether it is never written again
     * @param total takes the change in
     */
    void put(K key, long sum, boolean isFinal, TableChecksums total) {
      Long before = written.containsKey(key) ? written.get(key) : file.sums.get(key);
      total.replaced(file.table, before == null ? 0 : before, sum);
      written.put(key, sum);
      if (isFinal) {
        over.add(key);
      }
    }

    /** They are in the file now. */
    void kept() {
      file.sums.putAll(written);
      over.forEach(file.sums::remove);
    }
  }
}
