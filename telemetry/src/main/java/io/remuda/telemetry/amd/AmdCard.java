package io.remuda.telemetry.amd;

import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * Reads one GPU. Units are those of the kernel's documentation of amdgpu and hwmon: bytes, percent,
 * millidegrees, microwatts, hertz.
 */
final class AmdCard {

  private static final int MICROWATTS_PER_MILLIWATT = 1000;
  private static final int HERTZ_PER_MEGAHERTZ = 1_000_000;
  private static final int MILLIDEGREES = 1000;

  private final DeviceInfo info;
  private final Path device;
  private final Path hwmon;
  private final KfdProcesses processes;

  /**
   * @param device its folder, such as {@code /sys/class/drm/card0/device}
   */
  AmdCard(DeviceInfo info, Path device, KfdProcesses processes) {
    this.info = info;
    this.device = device;
    this.hwmon = firstHwmon(device);
    this.processes = processes;
  }

  private static Path firstHwmon(Path device) {
    Path folder = device.resolve("hwmon");
    try (Stream<Path> all = Files.list(folder)) {
      return all.sorted().findFirst().orElse(folder);
    } catch (IOException none) {
      return folder;
    }
  }

  DeviceInfo info() {
    return info;
  }

  DeviceSample sample(boolean withProcesses) {
    DeviceSampleBuilder sample = DeviceSampleBuilder.of(info);
    if (!Files.isDirectory(device)) {
      return sample.health(DeviceHealth.LOST).error("device", "GONE").build();
    }
    readInt(sample, device.resolve("gpu_busy_percent"), AmdCard::same, sample::utilGpu);
    readInt(sample, device.resolve("mem_busy_percent"), AmdCard::same, sample::utilMem);
    readMemory(sample);
    readInt(sample, hwmon.resolve("temp1_input"), v -> v / MILLIDEGREES, sample::tempC);
    readInt(sample, powerFile(), v -> v / MICROWATTS_PER_MILLIWATT, sample::powerMw);
    readInt(
        sample,
        hwmon.resolve("power1_cap"),
        v -> v / MICROWATTS_PER_MILLIWATT,
        sample::powerLimitMw);
    readInt(sample, hwmon.resolve("freq1_input"), v -> v / HERTZ_PER_MEGAHERTZ, sample::clockSmMhz);
    readInt(
        sample, hwmon.resolve("freq2_input"), v -> v / HERTZ_PER_MEGAHERTZ, sample::clockMemMhz);
    readFan(sample);
    readErrors(sample);
    if (withProcesses) {
      List<DeviceProcess> found = processes.of(info.id());
      sample.processes(found);
    }
    return sample.build();
  }

  private static long same(long value) {
    return value;
  }

  /**
   * Returns the file of the average power, or of the instantaneous power, which newer cards have
   * instead.
   */
  private Path powerFile() {
    Path average = hwmon.resolve("power1_average");
    return Files.exists(average) ? average : hwmon.resolve("power1_input");
  }

  /** Returns the memory in use in bytes. */
  OptionalLong memoryUsed() {
    try {
      return OptionalLong.of(SysfsFile.number(device.resolve("mem_info_vram_used")));
    } catch (IOException fault) {
      return OptionalLong.empty();
    }
  }

  private void readMemory(DeviceSampleBuilder sample) {
    try {
      long total = SysfsFile.number(device.resolve("mem_info_vram_total"));
      long used = SysfsFile.number(device.resolve("mem_info_vram_used"));
      sample.memTotal(total).memUsed(used).memFree(Math.max(0, total - used));
    } catch (IOException fault) {
      note(sample, "mem_info_vram_used", fault);
    }
  }

  /** Reads the fan speed, a pulse width relative to its maximum. */
  private void readFan(DeviceSampleBuilder sample) {
    Path width = hwmon.resolve("pwm1");
    long most = SysfsFile.numberIfThere(hwmon.resolve("pwm1_max")).orElse(255);
    readInt(sample, width, v -> v * 100 / Math.max(1, most), sample::fanPct);
  }

  /**
   * Reads the uncorrected errors from the line {@code ue: N}; {@code ce: N} counts corrected ones.
   */
  private void readErrors(DeviceSampleBuilder sample) {
    SysfsFile.text(device.resolve("ras/umc_err_count"))
        .flatMap(
            text ->
                text.lines()
                    .filter(line -> line.startsWith("ue:"))
                    .map(line -> line.substring("ue:".length()).strip())
                    .filter(count -> count.matches("\\d{1,18}"))
                    .findFirst())
        .ifPresent(count -> sample.eccUncorrected(Long.parseLong(count)));
  }

  private static void readInt(
      DeviceSampleBuilder sample, Path file, LongFunction<Long> convert, Consumer<Integer> into) {
    try {
      into.accept(convert.apply(SysfsFile.number(file)).intValue());
    } catch (IOException fault) {
      note(sample, file.getFileName().toString(), fault);
    }
  }

  private static void note(DeviceSampleBuilder sample, String file, IOException fault) {
    if (fault instanceof NoSuchFileException) {
      sample.error(file, "NOT_SUPPORTED");
    } else {
      sample.error(file, String.valueOf(fault.getMessage())).health(DeviceHealth.DEGRADED);
    }
  }
}
