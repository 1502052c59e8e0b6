package io.remuda.telemetry.model;

import java.util.Objects;

/**
 * A mounted file system.
 *
 * @param mount folder where it is mounted
 * @param type such as {@code ext4} or {@code nfs4}
 * @param size in bytes
 * @param used bytes in use
 * @param free bytes that an unprivileged user may still write, which leaves out those kept for root
 */
public record FileSystemReading(String mount, String type, long size, long used, long free) {
  public FileSystemReading {
    Objects.requireNonNull(mount, "mount");
    Objects.requireNonNull(type, "type");
  }
}
