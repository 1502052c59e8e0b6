package io.remuda.coordinator.store;

import java.util.concurrent.atomic.AtomicLong;

/**
 * An estimate of the memory used by a load, which lets a server end with a message before it runs
 * out of memory. Thread-safe.
 */
final class LoadedBytes {

  /** Share of the heap. Accepted jobs use at most half of it; loading needs more than holding. */
  private static final double PART = 0.7;

  /** Bytes of a character, both as read and as kept. */
  private static final long LETTER = 3;

  private final long most;
  private final AtomicLong bytes = new AtomicLong();

  /**
   * @param heap bytes that this server may use
   */
  LoadedBytes(long heap) {
    this.most = (long) (PART * heap);
  }

  static long ofText(long letters) {
    return LETTER * letters;
  }

  /** Adds bytes; throws if the limit is exceeded. */
  void add(long more) throws StoreTooLargeException {
    if (bytes.addAndGet(more) > most) {
      throw new StoreTooLargeException(
          "more than " + most + " bytes"); // Store.open replaces the message
    }
  }
}
