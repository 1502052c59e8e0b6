package io.remuda.coordinator.store;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The checksums of a table's live rows in the file. When a row is replaced, the checksum of the
 * whole table is updated from them. Single-threaded.
 *
 * @param <K> key of the table's rows
 */
final class LiveRowChecksums<K> {

  private final String table;
  private final Map<K, Long> sums = new HashMap<>();

  /**
   * @param table one of the names in {@link MetaTable}
   */
  LiveRowChecksums(String table) {
    this.table = table;
  }

  /** Adds a row of the file. */
  void put(K key, long sum) {
    sums.put(key, sum);
  }

  /** Returns an empty change for a commit that may still fail. */
  PendingChange<K> draft() {
    return new PendingChange<>(this);
  }

  /** Rows that are not committed yet. */
  static final class PendingChange<K> {
    private final LiveRowChecksums<K> file;
    private final Map<K, Long> written = new HashMap<>();
    private final Set<K> over = new HashSet<>();

    private PendingChange(LiveRowChecksums<K> file) {
      this.file = file;
    }

    /**
     * Adds a new row or replaces one.
     *
     * @param isFinal whether the row will not be written again, unless it {@link #returned}
     * @param total updated with the change
     */
    void put(K key, long sum, boolean isFinal, MetaTable total) {
      Long before = written.containsKey(key) ? written.get(key) : file.sums.get(key);
      total.replaced(file.table, before == null ? 0 : before, sum);
      written.put(key, sum);
      if (isFinal) {
        over.add(key);
      } else {
        over.remove(key);
      }
    }

    /** Returns whether the checksum of a row is known, because the row is live. */
    boolean knows(K key) {
      return written.containsKey(key) || file.sums.containsKey(key);
    }

    /** Adds the checksum of a row that was final and is to be written again. */
    void returned(K key, long sum) {
      written.put(key, sum);
    }

    /** Marks the rows as committed. */
    void kept() {
      file.sums.putAll(written);
      over.forEach(file.sums::remove);
    }
  }
}
