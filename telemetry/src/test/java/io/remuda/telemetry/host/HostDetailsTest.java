package io.remuda.telemetry.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.model.HostDetails;
import io.remuda.telemetry.model.TransferReading;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostDetailsTest {
  private static final String NETWORK_HEAD =
      "Inter-|   Receive                 |  Transmit\n face |bytes packets|bytes packets\n";

  @TempDir Path root;
  private FakeKernel kernel;
  private LinuxHost host;
  private long now;

  @BeforeEach
  void fakeKernel() {
    kernel = new FakeKernel(root);
    host = LinuxHost.open(Map.of(), kernel.paths(), () -> now);
  }

  private HostDetails after(Duration passed) {
    now += passed.toNanos();
    return host.sample().details();
  }

  private void disks(String... lines) {
    kernel.proc("diskstats", String.join("\n", lines) + "\n");
  }

  private static String disk(String name, long readSectors, long writtenSectors) {
    return "   8       0 "
        + name
        + " 5 0 "
        + readSectors
        + " 9 7 0 "
        + writtenSectors
        + " 11 0 12 13 0 0 0 0 1 2";
  }

  private void networks(String... lines) {
    kernel.proc("self/net/dev", NETWORK_HEAD + String.join("\n", lines) + "\n");
  }

  private static String network(String name, long received, long sent) {
    return "  " + name + ": " + received + " 1 0 0 0 0 0 0 " + sent + " 2 0 0 0 0 0 0";
  }

  private static List<String> names(List<TransferReading> readings) {
    return readings.stream().map(TransferReading::name).toList();
  }

  @Test
  void a_disk_has_counters_at_once_and_rates_from_the_second_reading_on() {
    kernel.disk("sda");
    disks(disk("sda", 100, 200));
    HostDetails first = after(Duration.ZERO);
    assertEquals(List.of(new TransferReading("sda", 51_200, 102_400, null, null)), first.disks());
    assertNull(first.diskRead());
    disks(disk("sda", 300, 1200));
    HostDetails second = after(Duration.ofSeconds(2));
    assertEquals(51_200, second.diskRead());
    assertEquals(256_000, second.diskWrite());
  }

  @Test
  void a_disk_that_is_made_of_others_is_not_counted_beside_them() {
    kernel.disk("nvme0n1").disk("nvme1n1").disk("sr0").disk("nvme0c0n1");
    kernel.sys("block/nvme0c0n1/hidden", "1\n").sys("block/dm-0/size", "1");
    kernel.sys("block/loop0/size", "1").sys("block/md127/size", "1").sys("block/zram0/size", "1");
    disks(
        disk("loop0", 1, 1),
        disk("nvme0n1", 1, 1),
        disk("nvme0n1p1", 1, 1),
        disk("nvme0c0n1", 1, 1),
        disk("nvme1n1", 1, 1),
        disk("dm-0", 1, 1),
        disk("md127", 1, 1),
        disk("sr0", 1, 1),
        disk("zram0", 1, 1));
    assertEquals(List.of("nvme0n1", "nvme1n1"), names(after(Duration.ZERO).disks()));
  }

  @Test
  void a_counter_that_has_begun_anew_is_a_gap_and_no_rate() {
    kernel.disk("sda").disk("sdb");
    disks(disk("sda", 1000, 1000), disk("sdb", 0, 0));
    after(Duration.ZERO);
    disks(disk("sda", 10, 2000), disk("sdb", 2, 2));
    HostDetails again = after(Duration.ofSeconds(1));
    assertNull(again.disks().get(0).inRate());
    assertEquals(512_000, again.disks().get(0).outRate());
    assertNull(again.diskRead(), "the sum is not known, since a part is not");
    disks(disk("sda", 20, 2000), disk("sdb", 2, 2));
    assertEquals(5120, after(Duration.ofSeconds(1)).diskRead());
  }

  @Test
  void networks_count_devices_and_neither_loopback_nor_what_stands_on_them() {
    kernel.network("eth0").network("eth1").network("vf0").network("slave0");
    kernel.sys("class/net/vf0/device/physfn/x", "").sys("class/net/slave0/master/device/x", "");
    kernel.sys("class/net/lo/ifindex", "1\n").sys("class/net/lo/iflink", "1\n");
    kernel.sys("class/net/bond0/ifindex", "4\n").sys("class/net/bond0/iflink", "4\n");
    networks(
        network("lo", 1, 1),
        network("eth0", 1000, 10),
        network("eth1", 0, 0),
        network("vf0", 1, 1),
        network("slave0", 1, 1),
        network("bond0", 1, 1));
    assertEquals(List.of("eth0", "eth1"), names(after(Duration.ZERO).networks()));
    networks(network("lo", 9, 9), network("eth0", 3000, 20), network("eth1", 4000, 30));
    HostDetails second = after(Duration.ofSeconds(2));
    assertEquals(3000, second.networkReceived());
    assertEquals(20, second.networkSent());
  }

  @Test
  void a_container_counts_the_interface_whose_other_end_is_outside() {
    kernel.sys("class/net/lo/ifindex", "1\n").sys("class/net/lo/iflink", "1\n");
    kernel.sys("class/net/eth0/ifindex", "5\n").sys("class/net/eth0/iflink", "6\n");
    networks(network("lo", 1, 1), network("eth0", 1, 1));
    assertEquals(List.of("eth0"), names(after(Duration.ZERO).networks()));
  }

  @Test
  void cores_have_the_share_since_the_reading_before() {
    kernel.proc("stat", "cpu  0 0 0 0\ncpu0 100 0 0 100 0 0 0 0 0 0\ncpu1 0 0 0 200 0 0 0 0 0 0\n");
    assertNull(after(Duration.ZERO).cores());
    kernel.proc("stat", "cpu  300 0 0 500 0 0 0 0 0 0\ncpu0 175 0 0 125 0 0 0 0 0 0\n");
    assertNull(after(Duration.ofSeconds(1)).cores(), "a core is gone");
    kernel.proc("stat", "cpu  300 0 0 500 0 0 0 0 0 0\ncpu0 250 0 0 150 0 0 0 0 0 0\n");
    assertEquals(List.of(75), after(Duration.ofSeconds(1)).cores());
  }

  @Test
  void time_of_all_cpus_is_told_by_mode() {
    kernel.proc("stat", "cpu  100 200 300 400 500 600 700 800 50 0\n");
    assertEquals(
        "CpuSeconds[user=1.0, nice=2.0, system=3.0, idle=4.0, iowait=5.0, irq=6.0, softirq=7.0,"
            + " steal=8.0]",
        after(Duration.ZERO).cpu().toString());
  }

  @Test
  void samples_that_follow_quickly_have_the_details_of_the_last() {
    kernel.disk("sda");
    disks(disk("sda", 0, 0));
    after(Duration.ZERO);
    disks(disk("sda", 200, 0));
    HostDetails second = after(Duration.ofSeconds(1));
    disks(disk("sda", 400, 0));
    assertEquals(second, after(Duration.ofMillis(20)));
  }

  @Test
  void nothing_known_is_no_zero() {
    HostDetails details = after(Duration.ofSeconds(1));
    assertNull(details.disks());
    assertNull(details.networks());
    assertNull(details.diskRead());
    assertNull(details.networkSent());
    assertNull(details.temperatures());
    assertNull(details.fileSystems());
    assertNull(details.hottest());
  }

  @Test
  void a_disk_that_was_plugged_in_counts_from_the_next_reading_on() {
    kernel.disk("sda");
    disks(disk("sda", 0, 0));
    after(Duration.ZERO);
    kernel.disk("sdb");
    disks(disk("sda", 0, 0), disk("sdb", 0, 0));
    assertEquals(List.of("sda", "sdb"), names(after(Duration.ofSeconds(1)).disks()));
  }

  @Test
  void temperatures_have_the_names_of_chip_and_label_and_leave_out_single_cores() {
    kernel.sys("class/hwmon/hwmon0/name", "coretemp\n");
    kernel.sys("class/hwmon/hwmon0/temp1_label", "Package id 0\n");
    kernel.sys("class/hwmon/hwmon0/temp1_input", "61000\n");
    kernel.sys("class/hwmon/hwmon0/temp2_label", "Core 0\n");
    kernel.sys("class/hwmon/hwmon0/temp2_input", "70000\n");
    kernel.sys("class/hwmon/hwmon1/name", "nvme\n");
    kernel.sys("class/hwmon/hwmon1/temp1_input", "40850\n");
    kernel.sys("class/hwmon/hwmon2/name", "nvme\n");
    kernel.sys("class/hwmon/hwmon2/temp1_input", "39850\n");
    kernel.sys("class/hwmon/hwmon3/name", "broken\n");
    kernel.sys("class/hwmon/hwmon3/temp1_input", "-273150\n");
    assertEquals(
        "[TemperatureReading[sensor=coretemp Package id 0, celsius=61.0],"
            + " TemperatureReading[sensor=nvme temp1, celsius=40.85],"
            + " TemperatureReading[sensor=nvme temp1 #2, celsius=39.85]]",
        TemperatureReader.read(kernel.paths().sys()).toString());
  }

  @Test
  void thermal_zones_stand_in_where_there_are_no_chips() {
    kernel.sys("class/thermal/thermal_zone0/type", "x86_pkg_temp\n");
    kernel.sys("class/thermal/thermal_zone0/temp", "45000\n");
    assertEquals(
        "[TemperatureReading[sensor=x86_pkg_temp, celsius=45.0]]",
        TemperatureReader.read(kernel.paths().sys()).toString());
  }

  @Test
  void this_machine_can_be_read() {
    LinuxHost real = LinuxHost.open(System.getenv());
    HostDetails details = real.sample().details();
    assertTrue(details.cpu().idle() > 0);
    if (details.disks() != null) {
      assertTrue(details.disks().stream().allMatch(disk -> disk.inBytes() >= 0));
    }
  }
}
