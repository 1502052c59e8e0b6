package io.remuda.telemetry.model;

import java.util.Objects;

/**
 * What one disk has read and written, or one network interface received and sent.
 *
 * @param name by which the kernel calls it, such as {@code nvme0n1} or {@code eth0}
 * @param inBytes bytes read or received since the machine started, or since the kernel has it
 * @param outBytes bytes written or sent in the same time
 * @param inRate bytes per second read or received since the reading before this one; null if there
 *     is none, or the kernel's counter began anew meanwhile
 * @param outRate the same of those written or sent
 */
public record TransferReading(
    String name, long inBytes, long outBytes, Double inRate, Double outRate) {
  public TransferReading {
    Objects.requireNonNull(name, "name");
  }
}
