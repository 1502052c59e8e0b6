package io.remuda.coordinator.cli.job;

import io.remuda.coordinator.client.RequestEnd;
import io.remuda.coordinator.client.RestFailureException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;

/**
 * Repeats a request while a server that has answered before does not answer (it may be restarting),
 * is not connected to the node in question, has no leader at present, or refuses too many requests.
 * A server that has never answered is not waited for.
 */
public final class RetryWhileAway {

  private static final long PAUSE_MILLIS = 300;
  private static final int MOST_TRIES = 200; // a minute

  /** So often it asks for a node that may just have lost its connection: 6 s. */
  private static final int FEW_TRIES = 20;

  /** Status of an answer while the node in question is not connected. */
  private static final int NODE_AWAY = 502;

  /** Status of an answer while no coordinator leads, or the state cannot be written. */
  private static final int NOT_NOW = 503;

  /** Status of an answer when the user sends too many requests a second. */
  private static final int TOO_OFTEN = 429;

  private final PrintWriter err;
  private final Sleeper pause;
  private final int nodeTries;
  private final RequestEnd end;
  private final Duration longest;
  private boolean answered;

  /**
   * @param err gets one line each time the server is away
   */
  public RetryWhileAway(PrintWriter err) {
    this(err, RequestEnd.NONE);
  }

  /**
   * @param err gets one line each time the server is away
   * @param end when nothing is repeated any more
   */
  RetryWhileAway(PrintWriter err, RequestEnd end) {
    this(err, Thread::sleep, MOST_TRIES, end, ReturningServer.LONGEST);
  }

  /** One that waits for the node in question only for seconds, not as long as for the server. */
  public static RetryWhileAway ofServer(PrintWriter err) {
    return new RetryWhileAway(
        err, Thread::sleep, FEW_TRIES, RequestEnd.NONE, ReturningServer.LONGEST);
  }

  /**
   * @param err gets one line each time the server is away
   * @param pause waits between two tries
   * @param nodeTries how often it asks at most while the node is not connected
   * @param end when nothing is repeated any more
   * @param longest after which time from its first failure a request is not repeated any more
   */
  RetryWhileAway(PrintWriter err, Sleeper pause, int nodeTries, RequestEnd end, Duration longest) {
    this.err = err;
    this.pause = pause;
    this.nodeTries = nodeTries;
    this.end = end;
    this.longest = longest;
  }

  /** A request to the server. */
  public interface ServerCall<T> {
    T ask() throws IOException;
  }

  /** A way to wait for a number of milliseconds. */
  public interface Sleeper {
    void millis(long millis) throws InterruptedException;
  }

  /**
   * Sends a request, and repeats it for about a minute while the server is away.
   *
   * @throws RestFailureException if the server refuses, has never answered, or is away for a minute
   */
  public <T> T ask(ServerCall<T> question) throws IOException, InterruptedException {
    RequestEnd patience = RequestEnd.NONE;
    for (int tries = 1; ; tries++) {
      try {
        T answer = question.ask();
        answered = true;
        return answer;
      } catch (IOException fault) {
        boolean late = end.isOver() || patience.isOver();
        if (isRefusal(fault) || !answered || late || tries >= most(fault)) {
          throw fault;
        }
      }
      if (tries == 1) {
        patience = RequestEnd.in(longest);
        err.println("remuda: the server or the node is away; waiting for it to come back");
        err.flush();
      }
      pause.millis(PAUSE_MILLIS);
    }
  }

  /** Returns whether a request was answered. */
  boolean hasAnswered() {
    return answered;
  }

  private int most(IOException fault) {
    return fault instanceof RestFailureException no && no.status() == NODE_AWAY
        ? nodeTries
        : MOST_TRIES;
  }

  private static boolean isRefusal(IOException fault) {
    return fault instanceof RestFailureException no
        && no.status() != RestFailureException.NO_SERVER
        && no.status() != NODE_AWAY
        && no.status() != NOT_NOW
        && no.status() != TOO_OFTEN;
  }
}
