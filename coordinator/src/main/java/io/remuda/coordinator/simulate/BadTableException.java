package io.remuda.coordinator.simulate;

/** A table cannot be read, or says something impossible; the message has file, line and value. */
public final class BadTableException extends Exception {

  private static final long serialVersionUID = 1L;

  BadTableException(String message) {
    super(message);
  }

  BadTableException(String message, Throwable cause) {
    super(message, cause);
  }
}
