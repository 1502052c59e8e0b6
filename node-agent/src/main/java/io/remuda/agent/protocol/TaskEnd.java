package io.remuda.agent.protocol;

/**
 * How an attempt ended.
 *
 * @param exitCode of the process, or null if a signal ended it or it never ran
 * @param signal that ended it, or null
 * @param cause for people, never null: such as {@code exit code 1} or {@code keeper lost}
 * @param peakRssBytes of the process, or null if not known
 * @param cpuMillis user and system time of its processes, or null if not known
 * @param wallMillis from start to end, or null if not known
 */
public record TaskEnd(
    Integer exitCode,
    Integer signal,
    String cause,
    Long peakRssBytes,
    Long cpuMillis,
    Long wallMillis) {

  /** An end of which only the cause is known. */
  public static TaskEnd because(String cause) {
    return new TaskEnd(null, null, cause, null, null, null);
  }
}
