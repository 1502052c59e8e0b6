package io.remuda.telemetry.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupLimitsTest {
  private static final long GIB = 1L << 30;

  @TempDir Path root;
  private FakeKernel kernel;

  @BeforeEach
  void fakeKernel() {
    kernel = new FakeKernel(root);
  }

  private CgroupLimits read() {
    return CgroupLimits.read(kernel.paths());
  }

  @Test
  void without_control_groups_nothing_is_limited() {
    assertEquals(new CgroupLimits(Double.POSITIVE_INFINITY, Long.MAX_VALUE), read());
  }

  @Test
  void version_2_limits_are_read() {
    kernel.proc("self/cgroup", "0::/job\n");
    kernel.cgroup("job/cpu.max", "150000 100000\n").cgroup("job/memory.max", 2 * GIB + "\n");
    assertEquals(new CgroupLimits(1.5, 2 * GIB), read());
  }

  @Test
  void version_2_without_limits_says_max() {
    kernel.proc("self/cgroup", "0::/job\n");
    kernel.cgroup("job/cpu.max", "max 100000\n").cgroup("job/memory.max", "max\n");
    assertEquals(new CgroupLimits(Double.POSITIVE_INFINITY, Long.MAX_VALUE), read());
  }

  @Test
  void the_least_limit_on_the_way_to_the_root_counts() {
    kernel.proc("self/cgroup", "0::/slurm/job_1/step_0\n");
    kernel.cgroup("slurm/job_1/step_0/cpu.max", "max 100000\n");
    kernel.cgroup("slurm/job_1/cpuset.cpus.effective", "4-6\n");
    kernel.cgroup("slurm/memory.max", 3 * GIB + "\n");
    kernel.cgroup("slurm/job_1/memory.max", 5 * GIB + "\n");
    assertEquals(new CgroupLimits(3, 3 * GIB), read());
  }

  @Test
  void version_1_limits_are_read_from_each_controller() {
    kernel.proc("self/cgroup", "4:memory:/a/b\n3:cpuset:/a\n1:cpu,cpuacct:/a\n0::/\n");
    kernel.cgroup("memory/a/memory.limit_in_bytes", GIB + "\n");
    kernel.cgroup("memory/a/b/memory.limit_in_bytes", "9223372036854771712\n");
    kernel.cgroup("cpuset/a/cpuset.cpus", "0-7\n");
    kernel.cgroup("cpuset/a/cpuset.effective_cpus", "0-5\n");
    kernel.cgroup("cpu,cpuacct/a/cpu.cfs_quota_us", "250000\n");
    kernel.cgroup("cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
    assertEquals(new CgroupLimits(2.5, GIB), read());
  }

  @Test
  void version_1_without_a_quota_says_minus_1() {
    kernel.proc("self/cgroup", "1:cpu:/\n");
    kernel.cgroup("cpu/cpu.cfs_quota_us", "-1\n").cgroup("cpu/cpu.cfs_period_us", "100000\n");
    assertEquals(Double.POSITIVE_INFINITY, read().cpus());
  }

  @Test
  void in_a_container_the_path_of_the_host_falls_back_to_what_is_mounted() {
    kernel.proc("self/cgroup", "0::/../../docker/4711\n4:memory:/docker/4711\n");
    kernel.cgroup("cpu.max", "200000 100000\n");
    kernel.cgroup("memory/memory.limit_in_bytes", 4 * GIB + "\n");
    assertEquals(new CgroupLimits(2, 4 * GIB), read());
  }
}
