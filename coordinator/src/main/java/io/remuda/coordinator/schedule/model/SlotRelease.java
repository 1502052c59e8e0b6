package io.remuda.coordinator.schedule.model;

import io.remuda.telemetry.model.DeviceId;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a slot gives back, and when. Times are in nanoseconds, those in time of the monotonic clock.
 *
 * @param since when its tasks began
 * @param likelyNanos how long they take, as likely longer as shorter; 0 if not known
 * @param latest when they will have ended by their time limits; empty without
 * @param milliCpus thousandths of a core
 * @param memory in bytes
 * @param devices that are free once no slot holds them
 * @param leavesIn how long its tasks take to leave for whoever waits; empty if they do not
 */
public record SlotRelease(
    long since,
    long likelyNanos,
    OptionalLong latest,
    long milliCpus,
    long memory,
    List<DeviceId> devices,
    OptionalLong leavesIn) {

  public SlotRelease {
    devices = List.copyOf(devices);
  }

  /** A slot whose tasks do not leave for others before they end. */
  public SlotRelease(
      long since,
      long likelyNanos,
      OptionalLong latest,
      long milliCpus,
      long memory,
      List<DeviceId> devices) {
    this(since, likelyNanos, latest, milliCpus, memory, devices, OptionalLong.empty());
  }

  /**
   * Returns when it is expected: when its tasks have left for others, or have ended. One that takes
   * longer than is likely is expected to take twice as long, then four times, and so on: an
   * estimate that only grows with time would always be about to end.
   *
   * @param now of the snapshot
   * @return empty if nobody knows
   */
  public OptionalLong at(long now) {
    OptionalLong end = endsAt(now);
    return leavesIn.isPresent()
            && (end.isEmpty() || now + leavesIn.getAsLong() - end.getAsLong() < 0)
        ? OptionalLong.of(now + leavesIn.getAsLong())
        : end;
  }

  private OptionalLong endsAt(long now) {
    if (likelyNanos <= 0) {
      return latest;
    }
    long ran = now - since;
    long takes = likelyNanos;
    while (takes <= ran) {
      takes = takes > Long.MAX_VALUE / 4 ? Long.MAX_VALUE / 2 : takes * 2;
    }
    long likely = since + takes;
    return latest.isPresent() && latest.getAsLong() - likely < 0 ? latest : OptionalLong.of(likely);
  }
}
