package io.remuda.telemetry.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Folders that look like /proc, /sys/fs/cgroup and /sys of a machine with 8 CPUs and 16 GiB. */
final class FakeKernel {
  private final Path root;

  FakeKernel(Path root) {
    this.root = root;
    proc("sys/kernel/hostname", "node7\n");
    proc("loadavg", "0.50 1.25 2.00 1/234 5678\n");
    stat(100, 100, 800);
    proc(
        "meminfo",
        "MemTotal:       16777216 kB\nMemFree:         1000000 kB\nMemAvailable:    8388608 kB\n"
            + "SwapTotal:       2048 kB\nSwapFree:        1024 kB\n");
    proc("self/status", "Name:\tjava\nCpus_allowed_list:\t0-7\n");
  }

  HostPaths paths() {
    return new HostPaths(root.resolve("proc"), root.resolve("cgroup"), root.resolve("sys"));
  }

  FakeKernel proc(String file, String text) {
    return write(root.resolve("proc").resolve(file), text);
  }

  FakeKernel cgroup(String file, String text) {
    return write(root.resolve("cgroup").resolve(file), text);
  }

  FakeKernel sys(String file, String text) {
    return write(root.resolve("sys").resolve(file), text);
  }

  /** A whole disk with a device. */
  FakeKernel disk(String name) {
    return sys("block/" + name + "/device/model", "a disk\n");
  }

  /** A network interface with a device. */
  FakeKernel network(String name) {
    return sys("class/net/" + name + "/device/vendor", "0x8086\n");
  }

  FakeKernel stat(long user, long system, long idle) {
    StringBuilder text = new StringBuilder();
    text.append("cpu  ").append(user).append(" 0 ").append(system).append(' ').append(idle);
    text.append(" 0 0 0 0 50 0\n");
    for (int cpu = 0; cpu < 8; cpu++) {
      text.append("cpu").append(cpu).append(" 1 2 3 4 5 6 7 8 9 0\n");
    }
    return proc("stat", text.append("intr 1\n").toString());
  }

  private FakeKernel write(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
