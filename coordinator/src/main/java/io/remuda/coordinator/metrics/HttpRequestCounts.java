package io.remuda.coordinator.metrics;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts answered requests by route and status. Thread-safe. */
public final class HttpRequestCounts {

  /**
   * A kind of answered request.
   *
   * @param route the first part of the path, or {@code other}
   * @param code status of the answer
   */
  public record Answered(String route, int code) {}

  private final Map<Answered, LongAdder> counts = new ConcurrentHashMap<>();

  /** Counts a request that was answered. */
  public void count(String route, int code) {
    counts.computeIfAbsent(new Answered(route, code), none -> new LongAdder()).increment();
  }

  /** Returns a copy of the counts. */
  public Map<Answered, Long> counts() {
    Map<Answered, Long> copy =
        new TreeMap<>(Comparator.comparing(Answered::route).thenComparing(Answered::code));
    counts.forEach((kind, count) -> copy.put(kind, count.sum()));
    return copy;
  }
}
