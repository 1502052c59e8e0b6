package io.remuda.coordinator.store;

import java.util.concurrent.atomic.AtomicLong;

/**
 * About how much memory that takes which is being read, so that a server ends with a word before it
 * dies of it. Any thread.
 */
final class LoadedBytes {

  /** What was accepted took half at most; to read it takes more than to have it. */
  private static final double PART = 0.7;

  /** A letter as it is read and as it is kept. */
  private static final long LETTER = 3;

  private final long most;
  private final AtomicLong bytes = new AtomicLong();

  /**
   * Nothing is read yet.
   *
   * @param heap bytes that this server may use
   */
  LoadedBytes(long heap) {
    this.most = (long) (PART * heap);
  }

  static long ofText(long letters) {
    return LETTER * letters;
  }

  /** So many bytes more are taken. */
  void add(long more) throws StoreTooLarge {
    if (bytes.addAndGet(more) > most) {
      throw new StoreTooLarge("more than " + most + " bytes"); // is said better by who opens it
    }
  }
}
