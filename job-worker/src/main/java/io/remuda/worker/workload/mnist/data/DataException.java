package io.remuda.worker.workload.mnist.data;

/** The data cannot be used; the message names the file, what is wrong with it and what to do. */
public final class DataException extends Exception {

  public DataException(String message) {
    super(message);
  }

  public DataException(String message, Throwable cause) {
    super(message, cause);
  }
}
