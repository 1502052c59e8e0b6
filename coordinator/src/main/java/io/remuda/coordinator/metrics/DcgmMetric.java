package io.remuda.coordinator.metrics;

import java.util.List;

/**
 * The metrics of NVIDIA's DCGM exporter (up to 4.8) for which there are readings, by its names and
 * in its units.
 */
public enum DcgmMetric implements MetricDescription {
  SM_CLOCK("Clock of the multiprocessors in MHz."),
  MEM_CLOCK("Clock of the memory in MHz."),
  GPU_TEMP("Temperature in degrees Celsius."),
  POWER_USAGE("Power draw in watts."),
  TOTAL_ENERGY_CONSUMPTION(
      MetricKind.UNKNOWN, "Energy since the driver was loaded in millijoules."),
  GPU_UTIL("Time in which a kernel ran in percent."),
  MEM_COPY_UTIL("Time in which memory was read or written in percent."),
  FB_FREE("Free memory in MiB."),
  FB_USED("Used memory in MiB."),
  FB_RESERVED("Memory that the driver keeps in MiB."),
  FB_TOTAL("Memory in MiB."),
  FAN_SPEED("Speed of the fans in percent."),
  POWER_MGMT_LIMIT("Power limit in watts."),
  CLOCK_THROTTLE_REASONS("Bits of the reasons for lowered clocks."),
  ECC_DBE_VOL_TOTAL(MetricKind.UNKNOWN, "Uncorrected memory errors since the driver was loaded.");

  private final MetricKind kind;
  private final String help;

  DcgmMetric(String help) {
    this(MetricKind.GAUGE, help);
  }

  DcgmMetric(MetricKind kind, String help) {
    this.kind = kind;
    this.help = help;
  }

  @Override
  public MetricKind kind() {
    return kind;
  }

  @Override
  public String title() {
    return "DCGM_FI_DEV_" + name();
  }

  @Override
  public String unit() {
    return "";
  }

  @Override
  public String help() {
    return help;
  }

  /** Returns the labels of the present form; {@code hostname} was {@code Hostname} before. */
  @Override
  public List<String> labels() {
    return List.of("gpu", "UUID", "pci_bus_id", "device", "modelName", "hostname");
  }
}
