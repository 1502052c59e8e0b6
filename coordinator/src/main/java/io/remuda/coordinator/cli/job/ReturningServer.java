package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RequestEnd;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;

/**
 * A server that has answered, and that may go away and come back, also at another address.
 * Thread-safe.
 */
public final class ReturningServer {

  static final long PAUSE_MILLIS = 300;

  /** Number of vain tries before the server counts as gone: about a minute. */
  static final int MOST_BREAKS = 200;

  /** Longest wait for one that has gone, also if each try takes long, as if it stands still. */
  static final Duration LONGEST = Duration.ofSeconds(90);

  /** Tries before the server is looked for anew; one that restarts is back by then. */
  private static final int BREAKS_BEFORE_LOOK = 20;

  /** No server, too many requests a second, a node or the database that is away. */
  private static final Set<Integer> AWAY = Set.of(RestFailureException.NO_SERVER, 429, 502, 503);

  private final ServerFinder finder;
  private final Duration longest;
  private volatile RestClient current;

  /** Finds a server, or starts one. */
  public interface ServerFinder {
    RestClient find() throws IOException, InterruptedException;
  }

  public ReturningServer(RestClient first, ServerFinder finder) {
    this(first, finder, LONGEST);
  }

  ReturningServer(RestClient first, ServerFinder finder, Duration longest) {
    this.current = first;
    this.finder = finder;
    this.longest = longest;
  }

  /** Returns until when a server that has just gone away is waited for. */
  RequestEnd patience() {
    return RequestEnd.in(longest);
  }

  /** Returns the server as it was found last. */
  RestClient current() {
    return current;
  }

  /** Looks for the server anew. */
  RestClient look() throws IOException, InterruptedException {
    current = finder.find();
    return current;
  }

  /** Returns the server to try next, after so many vain tries. */
  RestClient after(int breaks) throws IOException, InterruptedException {
    return breaks > 0 && breaks % BREAKS_BEFORE_LOOK == 0 ? look() : current;
  }

  /** Returns whether a request that failed so may succeed later. */
  static boolean isAway(IOException fault) {
    return !(fault instanceof RestFailureException no) || AWAY.contains(no.status());
  }

  /**
   * Sends a request, and repeats it while the server is away.
   *
   * @throws RestFailureException if the server refuses, or stays away
   */
  JsonNode get(String path) throws IOException, InterruptedException {
    RequestEnd patience = RequestEnd.NONE;
    for (int breaks = 0; ; breaks++) {
      try {
        return after(breaks).get(path);
      } catch (IOException fault) {
        if (!isAway(fault) || breaks == MOST_BREAKS || patience.isOver()) {
          throw fault;
        }
      }
      patience = breaks == 0 ? patience() : patience;
      Thread.sleep(PAUSE_MILLIS);
    }
  }
}
