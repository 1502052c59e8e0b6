package io.remuda.telemetry.host;

import java.nio.file.Path;
import java.util.Objects;

/**
 * Where the kernel shows its state; tests give folders of their own.
 *
 * @param proc the process file system
 * @param cgroup the mount point of the control groups, of version 1, 2 or both
 */
public record HostPaths(Path proc, Path cgroup) {
  public HostPaths {
    Objects.requireNonNull(proc, "proc");
    Objects.requireNonNull(cgroup, "cgroup");
  }

  /** The usual places. */
  public static HostPaths standard() {
    return new HostPaths(Path.of("/proc"), Path.of("/sys/fs/cgroup"));
  }
}
