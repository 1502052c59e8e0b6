package io.remuda.worker.workload.mnist.data;

/** Thrown when data cannot be used; the message contains the file, the problem and advice. */
public final class DataException extends Exception {

  public DataException(String message) {
    super(message);
  }

  public DataException(String message, Throwable cause) {
    super(message, cause);
  }
}
