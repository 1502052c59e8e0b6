package io.remuda.agent.settings.file;

/**
 * Thrown if a setting is unknown or its value cannot be used. The message names the file and line,
 * or the system property, the value, and the right form.
 */
public final class BadSettingsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  public BadSettingsException(String message) {
    super(message);
  }

  BadSettingsException(String message, Exception cause) {
    super(message, cause);
  }
}
