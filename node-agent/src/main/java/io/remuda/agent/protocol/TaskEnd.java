package io.remuda.agent.protocol;

import com.fasterxml.jackson.annotation.JsonAlias;
import java.util.Objects;

/**
 * How an attempt ended.
 *
 * @param kind whose doing it was
 * @param exitCode of the process, or null if a signal ended it or it never ran
 * @param signal that ended it, or null
 * @param cause for people, never null: such as {@code exit code 1} or {@code keeper lost}
 * @param peakRssBytes the most resident memory of its processes together, or null if not known
 * @param cpuMillis user and system time of its processes, or null if not known
 * @param wallMillis from start to end, or null if not known
 * @param gpu what it used of its devices, or null if that was not seen
 * @param outOf the memory that it failed for want of, or null if it did not, or did not say so
 */
public record TaskEnd(
    Kind kind,
    Integer exitCode,
    Integer signal,
    String cause,
    Long peakRssBytes,
    Long cpuMillis,
    Long wallMillis,
    GpuUse gpu,
    Shortage outOf) {

  /**
   * What an attempt used of its devices.
   *
   * @param peakBytes the most memory of any one of them
   * @param utilPercent mean of their utilisation while it had them for itself, or null
   */
  public record GpuUse(long peakBytes, Integer utilPercent) {}

  /** What there was too little of. */
  public enum Shortage {
    /** Memory of a GPU. */
    GPU,
    /** Memory of the machine. */
    HOST
  }

  /** Whose doing an end was. */
  public enum Kind {
    /** The process ended and nobody had asked it to. */
    BY_ITSELF,
    /** The agent ended it: no longer wanted, or silent for too long. */
    ON_REQUEST,
    /** The contact deadline passed without a message from the coordinator. */
    @JsonAlias("LEASE_PASSED") // as state files of earlier builds have it
    CONTACT_LOST,
    /** The keeper was gone, or was not there to start it. */
    KEEPER_GONE,
    /** No end yet: the keeper is gone, and what is left of the task cannot be ended. */
    NOT_GONE,
    /** Its node was out of reach, or no longer had it. */
    NODE_GONE,
    /** Another one holds a device that it was to get, or its lock is unusable; nothing ran. */
    DEVICE_BUSY,
    /** It was to start when another had ended, which did not happen soon; nothing ran. */
    NOT_BEGUN,
    /**
     * Its node is short of something that it may have again, as room on its disk or processes;
     * nothing ran.
     */
    NO_ROOM,
    /** It could not be started; nothing ran. */
    CANNOT_START
  }

  public TaskEnd {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(cause, "cause");
  }

  /** One that nothing is known of about memory. */
  public TaskEnd(
      Kind kind,
      Integer exitCode,
      Integer signal,
      String cause,
      Long peakRssBytes,
      Long cpuMillis,
      Long wallMillis) {
    this(kind, exitCode, signal, cause, peakRssBytes, cpuMillis, wallMillis, null, null);
  }

  /** An end of which only the cause is known. */
  public static TaskEnd because(Kind kind, String cause) {
    return new TaskEnd(kind, null, null, cause, null, null, null);
  }

  /** The same with what is known of its devices. */
  public TaskEnd with(GpuUse use) {
    return new TaskEnd(
        kind, exitCode, signal, cause, peakRssBytes, cpuMillis, wallMillis, use, outOf);
  }

  /** Whether its process ended by itself, and well. */
  public boolean succeeded() {
    return kind == Kind.BY_ITSELF && exitCode != null && exitCode == 0;
  }

  /** Whether the task itself is to blame, so that it may not be tried for ever. */
  public boolean isCrash() {
    boolean badExit = exitCode != null && exitCode != 0;
    boolean fatalSignal = signal != null && signal != SIGKILL && signal != SIGTERM;
    return kind == Kind.CANNOT_START || (kind == Kind.BY_ITSELF && (badExit || fatalSignal));
  }

  private static final int SIGKILL = 9;
  private static final int SIGTERM = 15;
}
