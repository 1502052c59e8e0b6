package io.remuda.coordinator.doctor;

import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.telemetry.source.DeviceSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Checks GPUs and their drivers. */
final class DeviceChecks {

  /** Minimum for CUDA 13: NVIDIA's release notes, table "CUDA Toolkit and driver versions". */
  private static final int DRIVER_OF_CUDA_13 = 580;

  private DeviceChecks() {}

  /** Checks the devices; returns findings for all, for the driver and for each unhealthy GPU. */
  static List<DoctorFinding> look(DeviceSource devices, List<DeviceSample> samples) {
    List<DeviceInfo> inventory = devices.inventory();
    if (inventory.isEmpty()) {
      return List.of(
          DoctorFinding.warning(
              "gpus",
              "none: " + devices.description(),
              "without a GPU, trainings run on the CPU; with one, check nvidia-smi or rocm-smi"));
    }
    List<DoctorFinding> findings = new ArrayList<>();
    findings.add(DoctorFinding.good("gpus", kinds(inventory) + " (" + devices.description() + ")"));
    inventory.stream()
        .filter(device -> device.vendor() == DeviceVendor.NVIDIA)
        .findFirst()
        .ifPresent(device -> findings.add(driver(device.driver())));
    samples.stream()
        .filter(sample -> sample.health() != DeviceHealth.OK)
        .forEach(sample -> findings.add(unwell(sample)));
    return findings;
  }

  private static String kinds(List<DeviceInfo> inventory) {
    return inventory.stream()
        .collect(Collectors.groupingBy(DeviceInfo::name, Collectors.counting()))
        .entrySet()
        .stream()
        .map(kind -> kind.getValue() + " x " + kind.getKey())
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static DoctorFinding driver(String version) {
    String text = String.valueOf(version);
    String major = text.split("\\.", 2)[0];
    boolean fits = major.matches("\\d{1,6}") && Integer.parseInt(major) >= DRIVER_OF_CUDA_13;
    return fits
        ? DoctorFinding.good("driver", text + " supports CUDA 13")
        : DoctorFinding.warning(
            "driver",
            text + " is older than " + DRIVER_OF_CUDA_13,
            "telemetry and lending work; built-in training on the GPU needs a newer driver");
  }

  private static DoctorFinding unwell(DeviceSample sample) {
    return DoctorFinding.warning(
        "gpu " + sample.number(),
        sample.id().uuid()
            + " is "
            + sample.health().name().toLowerCase(Locale.ROOT)
            + " "
            + sample.errors(),
        "it is not lent while it is lost or silent; nvidia-smi -r or a reboot may help");
  }
}
