package io.remuda.agent.settings;

/**
 * An argument, a variable or a folder has bytes that are no UTF-8. Jobs are written in UTF-8 on
 * their way, so such a text is refused: another file, or another value, would be meant.
 */
public final class NotUtf8 extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  NotUtf8(String message) {
    super(message);
  }
}
