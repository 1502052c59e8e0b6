package io.remuda.telemetry.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.HostSample;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinuxHostTest {
  private static final long GIB = 1L << 30;

  @TempDir Path root;
  private FakeKernel kernel;

  @BeforeEach
  void fakeKernel() {
    kernel = new FakeKernel(root);
  }

  private HostInfo info(Map<String, String> environment) {
    return LinuxHost.open(environment, kernel.paths()).info();
  }

  @Test
  void a_machine_without_limits_may_be_used_whole() {
    HostInfo info = info(Map.of());
    assertEquals("node7", info.hostName());
    assertEquals(8, info.cpusOnline());
    assertEquals(8, info.cpusAllowed());
    assertEquals(16 * GIB, info.memTotal());
    assertEquals(16 * GIB, info.memAllowed());
  }

  @Test
  void the_model_of_the_cpu_is_the_one_that_the_kernel_names() {
    kernel.proc("cpuinfo", "processor\t: 0\nmodel\t\t: 2\nmodel name\t: Fake CPU 3000\n\n");
    assertEquals("Fake CPU 3000", info(Map.of()).cpuModel());
  }

  @Test
  void the_model_of_the_cpu_is_never_blank() {
    kernel.proc("cpuinfo", "processor\t: 0\nCPU part\t: 0xd0c\n");
    assertFalse(info(Map.of()).cpuModel().isBlank());
  }

  @Test
  void affinity_bounds_the_cpus() {
    kernel.proc("self/status", "Cpus_allowed_list:\t0,2-3\n");
    assertEquals(3, info(Map.of()).cpusAllowed());
  }

  @Test
  void the_control_group_bounds_cpus_and_memory() {
    kernel.proc("self/cgroup", "0::/\n").cgroup("cpu.max", "50000 100000");
    kernel.cgroup("memory.max", Long.toString(GIB));
    assertEquals(0.5, info(Map.of()).cpusAllowed());
    assertEquals(GIB, info(Map.of()).memAllowed());
    assertEquals(16 * GIB, info(Map.of()).memTotal());
  }

  @Test
  void the_slurm_allocation_bounds_the_cpus() {
    assertEquals(2, info(Map.of("SLURM_CPUS_ON_NODE", "2")).cpusAllowed());
    assertEquals(8, info(Map.of("SLURM_CPUS_ON_NODE", "64")).cpusAllowed());
    assertEquals(8, info(Map.of("SLURM_CPUS_ON_NODE", "many")).cpusAllowed());
  }

  @Test
  void a_sample_shows_load_memory_and_the_busy_share_since_the_previous_one() {
    LinuxHost host = LinuxHost.open(Map.of(), kernel.paths());
    HostSample first = host.sample();
    assertEquals(0.5, first.load1());
    assertEquals(1.25, first.load5());
    assertEquals(2.0, first.load15());
    assertNull(first.cpuBusyRatio());
    assertEquals(8, first.cpus());
    assertEquals(16 * GIB, first.memTotal());
    assertEquals(8 * GIB, first.memAvailable());
    assertEquals(1024 * 1024, first.swapUsed());
    kernel.stat(120, 110, 870);
    assertEquals(0.3, host.sample().cpuBusyRatio(), 1e-9);
    assertNull(host.sample().cpuBusyRatio(), "no time has passed");
  }

  @Test
  void what_cannot_be_read_throws_nothing() {
    HostPaths nothing =
        new HostPaths(root.resolve("none"), root.resolve("none"), root.resolve("none"));
    LinuxHost host = LinuxHost.open(Map.of(), nothing);
    assertTrue(host.info().cpusOnline() >= 1);
    assertEquals(0, host.sample().load1());
    assertNull(host.sample().swapUsed());
  }

  @Test
  void this_machine_can_be_read() {
    LinuxHost host = LinuxHost.open(System.getenv());
    assertFalse(host.info().cpuModel().isBlank());
    assertTrue(host.info().cpusAllowed() <= host.info().cpusOnline());
    assertTrue(host.info().memTotal() > 0);
    assertTrue(host.sample().memAvailable() > 0);
  }
}
