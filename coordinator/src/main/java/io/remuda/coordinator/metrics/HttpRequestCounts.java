package io.remuda.coordinator.metrics;

import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts answered requests by route and status. Thread-safe. */
public final class HttpRequestCounts {

  /** Parts of paths below the prefix that have a series of their own. */
  private static final Set<String> ROUTES =
      Set.of(
          "cluster",
          "events",
          "history",
          "jobs",
          "leases",
          "live",
          "metrics",
          "metrics-token",
          "nodes",
          "openapi.json",
          "profiles",
          "ready",
          "stop",
          "top",
          "usage",
          "users",
          "version");

  private static final String PREFIX = "/api/v1/";
  private static final String OTHERS = "other";

  /**
   * A kind of answered request.
   *
   * @param route the first part of the path, or {@code other}
   * @param code status of the answer
   */
  public record Answered(String route, int code) {}

  private final Map<Answered, LongAdder> counts = new ConcurrentHashMap<>();

  /** Counts a request that was answered. */
  public void count(String path, int code) {
    counts.computeIfAbsent(new Answered(route(path), code), none -> new LongAdder()).increment();
  }

  private static String route(String path) {
    String below =
        path.startsWith(PREFIX) ? path.substring(PREFIX.length()) : path.replaceFirst("^/", "");
    int end = below.indexOf('/');
    String first = end < 0 ? below : below.substring(0, end);
    return ROUTES.contains(first) ? first : OTHERS;
  }

  /** Returns a copy of the counts. */
  public Map<Answered, Long> counts() {
    Map<Answered, Long> copy =
        new TreeMap<>(Comparator.comparing(Answered::route).thenComparing(Answered::code));
    counts.forEach((kind, count) -> copy.put(kind, count.sum()));
    return copy;
  }
}
