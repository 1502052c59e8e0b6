package io.remuda.agent.settings;

/**
 * An argument, variable or folder is not UTF-8. Jobs are sent as UTF-8, so the text would change on
 * the way and mean another file or value; it is rejected instead.
 */
public final class NotUtf8Exception extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  NotUtf8Exception(String message) {
    super(message);
  }
}
