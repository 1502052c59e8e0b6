package io.remuda.coordinator.client;

import java.io.IOException;

/** Thrown if the server refuses a request, or there is no server. */
public final class RestFailureException extends IOException {
  private static final long serialVersionUID = 1;

  /** Status if there is no server. */
  public static final int NO_SERVER = 0;

  /** Status if the request was not sent because that would have disclosed the token. */
  public static final int REFUSED_HERE = -1;

  private final int status;

  public RestFailureException(int status, String message) {
    super(message);
    this.status = status;
  }

  public RestFailureException(int status, String message, Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  /** Returns whether another program listens there, or this server with another key. */
  public boolean isOfAnotherServer() {
    return getCause() instanceof ServerConnection.NotThisServerException;
  }

  /** Returns the HTTP status, {@link #NO_SERVER} or {@link #REFUSED_HERE}. */
  public int status() {
    return status;
  }
}
