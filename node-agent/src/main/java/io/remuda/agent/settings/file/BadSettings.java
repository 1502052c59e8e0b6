package io.remuda.agent.settings.file;

/**
 * Thrown if a setting is unknown or its value cannot be used. The message names the file and line,
 * or the system property, the value, and the right form.
 */
public final class BadSettings extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  BadSettings(String message) {
    super(message);
  }

  BadSettings(String message, Exception cause) {
    super(message, cause);
  }
}
