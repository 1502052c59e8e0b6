package io.remuda.coordinator.cli.channel;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/**
 * What is typed at this terminal. A thread reads it, one part at a time; it cannot be stopped while
 * it waits for a key, so it lives as long as the command.
 */
final class KeyboardReader {

  private static final int PART = 4096;

  private final SynchronousQueue<byte[]> typed = new SynchronousQueue<>();
  private final InputStream in;
  private boolean started;

  /**
   * @param in never closed: it is shared
   */
  KeyboardReader(InputStream in) {
    this.in = in;
  }

  /** Returns what was typed next; null if nothing is for this long. */
  byte[] next(long millis) throws InterruptedException {
    if (!started) {
      started = true;
      Thread thread = new Thread(this::read, "keyboard");
      thread.setDaemon(true);
      thread.start();
    }
    return typed.poll(millis, TimeUnit.MILLISECONDS);
  }

  private void read() {
    byte[] buffer = new byte[PART];
    try {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        typed.put(Arrays.copyOf(buffer, count));
      }
    } catch (IOException hungUp) {
      // the signal for it ends the command
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }
}
