package io.remuda.coordinator.client;

import java.io.IOException;

/** The server has said no, or there is none. */
public final class RestFailure extends IOException {
  private static final long serialVersionUID = 1;

  /** The status of an answer that never came. */
  public static final int NO_SERVER = 0;

  /** The status of a question that was never asked, since it would not have been safe. */
  public static final int REFUSED_HERE = -1;

  private final int status;

  public RestFailure(int status, String message) {
    super(message);
    this.status = status;
  }

  public RestFailure(int status, String message, Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  /** Of HTTP, {@link #NO_SERVER} or {@link #REFUSED_HERE}. */
  public int status() {
    return status;
  }
}
