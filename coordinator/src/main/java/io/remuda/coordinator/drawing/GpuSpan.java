package io.remuda.coordinator.drawing;

import java.util.Objects;

/**
 * A time in which something ran on a GPU, or nothing did.
 *
 * @param gpu as {@code gpu1:0}
 * @param from in seconds since 1970
 * @param to end, likewise; null if it has not ended
 * @param key what its colour is by, such as a user; of a time in which nothing ran the reason
 * @param label what stands on it if there is room
 * @param words what is said when it is pointed at
 */
public record GpuSpan(
    String gpu, long from, Long to, Kind kind, String key, String label, String words) {

  /** What a GPU did. */
  public enum Kind {
    /** Something ran there. */
    USED,
    /** Nothing ran since nobody waited for it. */
    UNWANTED,
    /** Nothing ran there although somebody waited, or it could not be had. */
    WITHHELD
  }

  public GpuSpan {
    Objects.requireNonNull(gpu, "gpu");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(label, "label");
    Objects.requireNonNull(words, "words");
  }

  boolean isUsed() {
    return kind == Kind.USED;
  }

  long end(long last) {
    return to == null ? last : Math.min(last, to);
  }
}
