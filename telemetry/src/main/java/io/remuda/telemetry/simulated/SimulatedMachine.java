package io.remuda.telemetry.simulated;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceVendor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * The specification of a simulated machine: its GPUs, memory use and faults.
 *
 * @param seed names the machine; determines identifiers and readings
 * @param gpus the GPUs in index order
 * @param memoryShare share of device memory in use at full load, 0-1
 * @param faults the faults and their times
 */
public record SimulatedMachine(
    String seed, List<GpuModel> gpus, double memoryShare, List<SimulatedFault> faults) {
  /** The default share; nearly empty, so that jobs can be placed on the devices. */
  private static final double DEFAULT_MEMORY_SHARE = 0.01;

  public SimulatedMachine {
    Objects.requireNonNull(seed, "seed");
    gpus = List.copyOf(gpus);
    faults = List.copyOf(faults);
    if (!(memoryShare >= 0 && memoryShare <= 1)) {
      throw new IllegalArgumentException("memoryShare must be 0 to 1 but is " + memoryShare);
    }
  }

  /** Returns a builder of a machine without GPUs. */
  public static Builder builder(String seed) {
    return new Builder(seed);
  }

  /**
   * Parses {@code h200:8}, {@code h200:4,a100:4}, {@code t4} or the name of a machine of {@link
   * SimulatedMachines}.
   *
   * @throws IllegalArgumentException when a part names an unknown model or a count outside 0 to 64
   */
  public static SimulatedMachine parse(String spec, String seed) {
    if (SimulatedMachines.names().contains(spec.strip())) {
      return SimulatedMachines.named(spec.strip(), seed);
    }
    Builder builder = builder(seed);
    for (String part : spec.split(",", -1)) {
      String[] modelAndCount = part.strip().split(":", 2);
      builder.gpus(modelAndCount[0], modelAndCount.length == 1 ? 1 : count(modelAndCount[1], spec));
    }
    return builder.build();
  }

  private static int count(String text, String spec) {
    if (!text.matches("[0-9]{1,2}") || Integer.parseInt(text) > GpuCatalogue.MOST) {
      throw new IllegalArgumentException("no count from 0 to 64 in '" + spec + "': '" + text + "'");
    }
    return Integer.parseInt(text);
  }

  /** Returns the devices as a source reports them. */
  public List<DeviceInfo> inventory() {
    List<DeviceInfo> devices = new ArrayList<>();
    for (int i = 0; i < gpus.size(); i++) {
      devices.add(info(i));
    }
    return List.copyOf(devices);
  }

  private DeviceInfo info(int index) {
    GpuModel model = gpus.get(index);
    String pci = String.format("00000000:%02X:00.0", 0x10 + index);
    return new DeviceInfo(
        id(index),
        index,
        DeviceVendor.SIMULATED,
        model.name(),
        pci,
        model.memoryBytes(),
        "simulated",
        null,
        index);
  }

  private DeviceId id(int index) {
    byte[] name = (seed + "/" + index).getBytes(StandardCharsets.UTF_8);
    return new DeviceId("GPU-" + UUID.nameUUIDFromBytes(name));
  }

  /** Builds a machine; for one thread. */
  public static final class Builder {
    private final String seed;
    private final List<GpuModel> gpus = new ArrayList<>();
    private final List<SimulatedFault> faults = new ArrayList<>();
    private double memoryShare = DEFAULT_MEMORY_SHARE;

    private Builder(String seed) {
      this.seed = seed;
    }

    /** Adds GPUs of a model of the {@link GpuCatalogue}. */
    public Builder gpus(String model, int count) {
      gpus.addAll(Collections.nCopies(count, GpuCatalogue.model(model)));
      return this;
    }

    /** Sets the share of device memory in use at full load, 0-1. */
    public Builder memoryShare(double share) {
      memoryShare = share;
      return this;
    }

    public Builder fault(SimulatedFault fault) {
      faults.add(fault);
      return this;
    }

    public SimulatedMachine build() {
      return new SimulatedMachine(seed, gpus, memoryShare, faults);
    }
  }
}
