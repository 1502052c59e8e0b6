package io.remuda.agent.protocol;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Objects;

/**
 * How an attempt ended.
 *
 * @param kind what ended it
 * @param exitCode exit code of the process; null if a signal ended it or it never ran
 * @param signal signal that ended it, or null
 * @param cause description for users, never null, such as {@code exit code 1} or {@code keeper
 *     lost}
 * @param peakRssBytes most resident memory of its processes together, or null if unknown
 * @param cpuMillis user and system time of its processes, or null if unknown
 * @param wallMillis from start to end, or null if unknown
 * @param gpu what it used of its devices, or null if that was not measured
 * @param outOf the kind of memory that it lacked when it failed; null if none, or if unknown
 * @param load how busy it kept its devices; null without devices, or from an older agent
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
    Shortage outOf,
    @JsonInclude(JsonInclude.Include.NON_NULL) AttemptGpuUtilization load) {

  /**
   * What an attempt used of its devices.
   *
   * @param peakBytes peak memory on any one device
   * @param utilPercent mean utilisation while it had the devices exclusively, or null
   */
  public record GpuUse(long peakBytes, Integer utilPercent) {}

  /** A resource that was exhausted. */
  public enum Shortage {
    /** Memory of a GPU. */
    GPU,
    /** Memory of the machine. */
    HOST
  }

  /** What ended an attempt. */
  public enum Kind {
    /** The process ended without a request. */
    BY_ITSELF,
    /** The agent ended it, because it was no longer wanted or silent for too long. */
    ON_REQUEST,
    /** The contact deadline passed without a message from the coordinator. */
    @JsonAlias("LEASE_PASSED") // as state files of earlier builds have it
    CONTACT_LOST,
    /** The keeper was gone, or was not available to start it. */
    KEEPER_GONE,
    /** Not ended yet: the keeper is gone and a remaining process of the task cannot be killed. */
    NOT_GONE,
    /** Its node was unreachable, or no longer had it. */
    NODE_GONE,
    /**
     * Another holder has locked one of its devices, or the device lock is unusable; nothing ran.
     */
    DEVICE_BUSY,
    /** The attempt before it in its slot did not end in time; nothing ran. */
    NOT_BEGUN,
    /**
     * Its node lacks something that may become available again, such as disk space or processes;
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

  /** Creates an end without the load of devices. */
  public TaskEnd(
      Kind kind,
      Integer exitCode,
      Integer signal,
      String cause,
      Long peakRssBytes,
      Long cpuMillis,
      Long wallMillis,
      GpuUse gpu,
      Shortage outOf) {
    this(kind, exitCode, signal, cause, peakRssBytes, cpuMillis, wallMillis, gpu, outOf, null);
  }

  /** Creates an end without information about memory and devices. */
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

  /** Creates an end of which only the cause is known. */
  public static TaskEnd because(Kind kind, String cause) {
    return new TaskEnd(kind, null, null, cause, null, null, null);
  }

  /** Returns a copy with what was measured on its devices; null for what was not. */
  public TaskEnd with(GpuUse use, AttemptGpuUtilization seen) {
    return new TaskEnd(
        kind, exitCode, signal, cause, peakRssBytes, cpuMillis, wallMillis, use, outOf, seen);
  }

  /** Returns whether its process ended by itself with exit code 0. */
  public boolean succeeded() {
    return kind == Kind.BY_ITSELF && exitCode != null && exitCode == 0;
  }

  /**
   * Returns whether its process came to its end by itself, with an exit code or by a fault of its
   * own, rather than by a SIGTERM or SIGKILL.
   */
  public boolean hasResult() {
    return kind == Kind.BY_ITSELF && (exitCode != null || outOf != null || isCrash());
  }

  /** Returns whether the task itself is at fault, so that its retries are limited. */
  public boolean isCrash() {
    boolean badExit = exitCode != null && exitCode != 0;
    boolean fatalSignal = signal != null && signal != SIGKILL && signal != SIGTERM;
    return kind == Kind.CANNOT_START || (kind == Kind.BY_ITSELF && (badExit || fatalSignal));
  }

  private static final int SIGKILL = 9;
  private static final int SIGTERM = 15;
}
