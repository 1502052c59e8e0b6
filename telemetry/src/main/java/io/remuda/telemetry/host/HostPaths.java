package io.remuda.telemetry.host;

import java.nio.file.Path;
import java.util.Objects;

/**
 * The mount points of the kernel's file systems; tests use folders of their own.
 *
 * @param proc the process file system
 * @param cgroup the mount point of the control groups, of version 1, 2 or both
 * @param sys the file system of devices
 */
public record HostPaths(Path proc, Path cgroup, Path sys) {
  public HostPaths {
    Objects.requireNonNull(proc, "proc");
    Objects.requireNonNull(cgroup, "cgroup");
    Objects.requireNonNull(sys, "sys");
  }

  /** Returns the standard mount points. */
  public static HostPaths standard() {
    return new HostPaths(Path.of("/proc"), Path.of("/sys/fs/cgroup"), Path.of("/sys"));
  }
}
