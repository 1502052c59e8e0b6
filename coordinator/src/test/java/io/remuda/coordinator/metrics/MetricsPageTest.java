package io.remuda.coordinator.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.telemetry.model.CpuSeconds;
import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.FileSystemReading;
import io.remuda.telemetry.model.HostDetails;
import io.remuda.telemetry.model.TemperatureReading;
import io.remuda.telemetry.model.TransferReading;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class MetricsPageTest {
  private static final Pattern SERIES = Pattern.compile("^(\\w+)(?:\\{(.*)\\})? \\S+$");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

  private final DeviceInfo gpu = SimulatedClusterMetrics.device("GPU-aa", 0);
  private final SimulatedClusterMetrics cluster = new SimulatedClusterMetrics();

  private static String text(byte[] compressed) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String page(boolean users, MetricsFormat format) throws IOException {
    return text(MetricsPage.of(cluster.sources(users), format));
  }

  private String page() throws IOException {
    return page(false, MetricsFormat.TEXT);
  }

  private static HostDetails details() {
    return new HostDetails(
        new CpuSeconds(1.5, 2, 3, 4, 5, 6, 7, 8),
        List.of(1, 2),
        List.of(new TransferReading("sda", 1000, 2000, null, 1.0)),
        List.of(new TransferReading("eth0", 3000, 4000, null, null)),
        List.of(new TemperatureReading("coretemp Package id 0", 61.5)),
        List.of(new FileSystemReading("/home", "nfs4", 100, 60, 30)));
  }

  private void oneNode() {
    cluster
        .tells(details())
        .node(
            "n1",
            NodeOffer.Presence.READY,
            List.of(gpu),
            List.of(SimulatedClusterMetrics.all(gpu).build()))
        .lent(gpu, "12.0.1")
        .job(12, "ann", "train");
  }

  private static void assertHas(String page, String line) {
    assertTrue(page.lines().anyMatch(line::equals), () -> line + " in\n" + page);
  }

  @Test
  void readings_of_a_gpu_are_in_base_units() throws IOException {
    oneNode();
    String page = page();
    String gpu = "gpu=\"GPU-aa\",index=\"0\",node=\"n1\"";
    assertHas(page, "remuda_gpu_power_watts{" + gpu + "} 250.5");
    assertHas(page, "remuda_gpu_energy_joules_total{" + gpu + "} 123.456");
    assertHas(page, "remuda_gpu_fan_ratio{" + gpu + "} 0.44");
    assertHas(page, "remuda_gpu_memory_used_bytes{" + gpu + "} 3.221225472E10");
    assertHas(
        page,
        "remuda_gpu_utilization_ratio{engine=\"sm\",gpu=\"GPU-aa\",index=\"0\",node=\"n1\"} 0.37");
    assertHas(
        page,
        "remuda_gpu_clock_hertz{domain=\"sm\",gpu=\"GPU-aa\",index=\"0\",node=\"n1\"} 1.98E9");
    assertHas(page, "remuda_gpu_throttle_active{" + gpu + ",reason=\"power_cap\"} 1.0");
    assertHas(page, "remuda_gpu_throttle_active{" + gpu + ",reason=\"hw_thermal\"} 0.0");
    assertHas(page, "remuda_gpu_allocated{" + gpu + "} 1.0");
    assertHas(page, "remuda_gpu_unattributed_memory_bytes{" + gpu + "} 1.073741824E10");
    assertHas(
        page,
        "remuda_gpu_job_memory_bytes{gpu=\"GPU-aa\",index=\"0\",job=\"12\",node=\"n1\"}"
            + " 2.147483648E10");
    assertHas(page, "remuda_tasks_waiting{reason=\"no-room-on-gpus\"} 3.0");
    assertHas(page, "remuda_leader{member=\"a\"} 1.0");
    assertHas(page, "remuda_http_requests_total{code=\"200\",route=\"jobs\"} 5.0");
  }

  @Test
  void a_machine_has_its_cpus_disks_networks_temperatures_and_file_systems() throws IOException {
    oneNode();
    String page = page();
    assertHas(page, "remuda_node_cpu_seconds_total{mode=\"user\",node=\"n1\"} 1.5");
    assertHas(page, "remuda_node_cpu_seconds_total{mode=\"steal\",node=\"n1\"} 8.0");
    assertHas(page, "remuda_node_disk_read_bytes_total{device=\"sda\",node=\"n1\"} 1000.0");
    assertHas(page, "remuda_node_disk_written_bytes_total{device=\"sda\",node=\"n1\"} 2000.0");
    assertHas(page, "remuda_node_network_receive_bytes_total{device=\"eth0\",node=\"n1\"} 3000.0");
    assertHas(page, "remuda_node_network_transmit_bytes_total{device=\"eth0\",node=\"n1\"} 4000.0");
    assertHas(
        page, "remuda_node_temperature_celsius{node=\"n1\",sensor=\"coretemp Package id 0\"} 61.5");
    String files = "{fstype=\"nfs4\",mountpoint=\"/home\",node=\"n1\"}";
    assertHas(page, "remuda_node_filesystem_size_bytes" + files + " 100.0");
    assertHas(page, "remuda_node_filesystem_free_bytes" + files + " 40.0");
    assertHas(page, "remuda_node_filesystem_avail_bytes" + files + " 30.0");
  }

  @Test
  void a_machine_of_which_an_older_agent_tells_nothing_more_has_no_such_series()
      throws IOException {
    oneNode();
    cluster.tells(HostDetails.UNKNOWN).node("old", NodeOffer.Presence.READY, List.of(), List.of());
    assertTrue(page().contains("remuda_node_load1{node=\"old\"}"));
    for (String line : page().lines().filter(line -> line.contains("\"old\"")).toList()) {
      assertFalse(line.matches(".*_(disk|network|filesystem|temperature|cpu_seconds).*"), line);
    }
  }

  @Test
  void what_a_driver_does_not_say_is_absent_and_not_zero() throws IOException {
    cluster.node(
        "n1",
        NodeOffer.Presence.READY,
        List.of(gpu),
        List.of(DeviceSampleBuilder.of(gpu).health(DeviceHealth.STALE).build()));
    String page = page();
    for (String name : List.of("utilization", "power", "memory_used", "fan", "throttle", "ecc")) {
      assertFalse(page.contains("remuda_gpu_" + name), name);
    }
    assertTrue(
        page.contains(
            "remuda_gpu_health{gpu=\"GPU-aa\",index=\"0\",node=\"n1\",state=\"stale\"} 1.0"));
    assertFalse(page.contains("remuda_node_swap_used_bytes"), "the machine did not say it");
    assertTrue(page.contains("remuda_gpu_allocated"), "this the server knows itself");
  }

  @Test
  void a_node_that_is_silent_has_no_readings() throws IOException {
    cluster.node(
        "n1",
        NodeOffer.Presence.SILENT,
        List.of(gpu),
        List.of(SimulatedClusterMetrics.all(gpu).build()));
    String page = page();
    assertHas(page, "remuda_node_up{node=\"n1\"} 0.0");
    assertFalse(page.contains("remuda_gpu_power_watts"), page);
    assertFalse(page.contains("remuda_node_load1"), page);
    assertHas(page, "remuda_telemetry_last_success_timestamp_seconds{node=\"n1\"} 1.7000000005E9");
  }

  @Test
  void users_are_named_only_if_that_is_wanted() throws IOException {
    oneNode();
    assertFalse(page(false, MetricsFormat.TEXT).contains("\"ann\""));
    String page = page(true, MetricsFormat.TEXT);
    assertHas(page, "remuda_user_tasks{state=\"waiting\",user=\"ann\"} 3.0");
    assertHas(page, "remuda_job_info{job=\"12\",name=\"train\",user=\"ann\"} 1");
  }

  @Test
  void jobs_that_are_not_named_are_counted_and_have_no_memory() throws IOException {
    cluster
        .node(
            "n1",
            NodeOffer.Presence.READY,
            List.of(gpu),
            List.of(SimulatedClusterMetrics.all(gpu).build()))
        .lent(gpu, "12.0.1")
        .leftOut(1);
    String page = page();
    assertHas(page, "remuda_jobs_left_out 1.0");
    assertFalse(page.contains("remuda_gpu_job_memory_bytes"), page);
  }

  @Test
  void a_name_of_a_job_cannot_break_a_line() throws IOException {
    oneNode();
    cluster.job(13, "ann", "a\"} 1\nremuda_tasks 7 \\");
    assertHas(page(), "remuda_job_info{job=\"13\",name=\"a\\\"} 1\\nremuda_tasks 7 \\\\\"} 1");
  }

  @Test
  void open_metrics_has_units_and_an_end() throws IOException {
    oneNode();
    String page = page(false, MetricsFormat.OPEN_METRICS);
    assertTrue(page.endsWith("# EOF\n"), page);
    assertHas(page, "# TYPE remuda_gpu_energy_joules counter");
    assertHas(page, "# UNIT remuda_gpu_energy_joules joules");
    assertHas(page, "# UNIT remuda_gpu_power_watts watts");
    assertHas(page, "# TYPE remuda_gpu info");
  }

  /** What the document says is what is served: names, and no label that it does not have. */
  @Test
  void series_have_the_described_names_and_labels() throws IOException {
    oneNode();
    Set<String> served = new TreeSet<>();
    for (String line : page(true, MetricsFormat.TEXT).lines().toList()) {
      Matcher series = SERIES.matcher(line);
      if (!line.startsWith("#") && series.matches()) {
        String name = series.group(1).replaceFirst("_(bucket|sum|count)$", "");
        RemudaMetric metric =
            Arrays.stream(RemudaMetric.values())
                .filter(one -> one.title().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(line));
        served.add(name);
        List<String> labels = new ArrayList<>();
        LABEL
            .matcher(series.group(2) == null ? "" : series.group(2))
            .results()
            .forEach(label -> labels.add(label.group(1)));
        labels.remove("le");
        assertTrue(metric.labels().containsAll(labels), () -> line + ": " + metric.labels());
      }
    }
    Set<String> all =
        Arrays.stream(RemudaMetric.values())
            .map(RemudaMetric::title)
            .collect(Collectors.toCollection(TreeSet::new));
    all.removeAll(
        Set.of( // what nothing has happened for, or the machine does not say
            "remuda_attempts_ended_total",
            "remuda_scheduler_step_seconds_total",
            "remuda_node_swap_used_bytes"));
    assertEquals(all, served);
  }

  /** The names and labels of NVIDIA's exporter 4.8, compared by hand with its list. */
  @Test
  void the_other_page_has_the_names_and_labels_of_the_exporter() throws IOException {
    oneNode();
    String page = text(DcgmPage.of(cluster.cluster(), "hostname", MetricsFormat.TEXT));
    String labels =
        "{UUID=\"GPU-aa\",device=\"nvidia0\",gpu=\"0\",hostname=\"n1.lab\","
            + "modelName=\"NVIDIA H200\",pci_bus_id=\"00000000:3B:00.0\"}";
    assertEquals(
        Set.of(
            "DCGM_FI_DEV_SM_CLOCK" + labels + " 1980.0",
            "DCGM_FI_DEV_MEM_CLOCK" + labels + " 3201.0",
            "DCGM_FI_DEV_GPU_TEMP" + labels + " 61.0",
            "DCGM_FI_DEV_POWER_USAGE" + labels + " 250.5",
            "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION" + labels + " 123456.0",
            "DCGM_FI_DEV_GPU_UTIL" + labels + " 37.0",
            "DCGM_FI_DEV_MEM_COPY_UTIL" + labels + " 12.0",
            "DCGM_FI_DEV_FB_FREE" + labels + " 111616.0",
            "DCGM_FI_DEV_FB_USED" + labels + " 30720.0",
            "DCGM_FI_DEV_FB_RESERVED" + labels + " 1024.0",
            "DCGM_FI_DEV_FB_TOTAL" + labels + " 143360.0",
            "DCGM_FI_DEV_FAN_SPEED" + labels + " 44.0",
            "DCGM_FI_DEV_POWER_MGMT_LIMIT" + labels + " 700.0",
            "DCGM_FI_DEV_CLOCK_THROTTLE_REASONS" + labels + " 4.0",
            "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL" + labels + " 2.0"),
        page.lines().filter(line -> !line.startsWith("#")).collect(Collectors.toSet()));
    String before = text(DcgmPage.of(cluster.cluster(), "Hostname", MetricsFormat.TEXT));
    assertTrue(before.contains("{Hostname=\"n1.lab\""), before);
  }

  @Test
  void a_gpu_that_two_nodes_of_a_machine_see_is_there_once() throws IOException {
    oneNode();
    cluster.node(
        "n2",
        NodeOffer.Presence.READY,
        List.of(gpu),
        List.of(SimulatedClusterMetrics.all(gpu).build()));
    String page = text(DcgmPage.of(cluster.cluster(), "hostname", MetricsFormat.TEXT));
    assertEquals(1, page.lines().filter(line -> line.startsWith("DCGM_FI_DEV_GPU_UTIL")).count());
    assertEquals(2, page().lines().filter(line -> line.startsWith("remuda_gpu_power_w")).count());
  }
}
