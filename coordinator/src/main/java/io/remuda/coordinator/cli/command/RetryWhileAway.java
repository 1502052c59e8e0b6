package io.remuda.coordinator.cli.command;

import io.remuda.coordinator.client.RestFailure;
import java.io.IOException;
import java.io.PrintWriter;

/**
 * Asks again while a server that has answered before does not, or lacks the node in question: it
 * may be starting again, and what was asked of it goes on. One that never answered is not waited
 * for.
 */
final class RetryWhileAway {

  private static final long PAUSE_MILLIS = 300;
  private static final int MOST_TRIES = 200; // a minute

  /** The answer of a server to which a node has not come back yet. */
  private static final int NODE_AWAY = 502;

  /** The answer to more requests than a user has a second. */
  private static final int TOO_OFTEN = 429;

  private final PrintWriter err;
  private final Sleeper pause;
  private boolean answered;

  /** Says to {@code err}, once each time, that the server is away. */
  RetryWhileAway(PrintWriter err) {
    this(err, Thread::sleep);
  }

  /** The same with another way to wait. */
  RetryWhileAway(PrintWriter err, Sleeper pause) {
    this.err = err;
    this.pause = pause;
  }

  /** A question to the server. */
  interface ServerCall<T> {
    T ask() throws IOException;
  }

  /** Waits for so many milliseconds. */
  interface Sleeper {
    void millis(long millis) throws InterruptedException;
  }

  /**
   * The answer to a question.
   *
   * @throws RestFailure if the server refuses, has never answered, or is away for a minute
   */
  <T> T ask(ServerCall<T> question) throws IOException, InterruptedException {
    for (int tries = 1; ; tries++) {
      try {
        T answer = question.ask();
        answered = true;
        return answer;
      } catch (IOException fault) {
        if (isRefusal(fault) || !answered || tries == MOST_TRIES) {
          throw fault;
        }
      }
      if (tries == 1) {
        err.println("remuda: the server or the node is away; waiting for it to come back");
        err.flush();
      }
      pause.millis(PAUSE_MILLIS);
    }
  }

  private static boolean isRefusal(IOException fault) {
    return fault instanceof RestFailure no
        && no.status() != RestFailure.NO_SERVER
        && no.status() != NODE_AWAY
        && no.status() != TOO_OFTEN;
  }
}
