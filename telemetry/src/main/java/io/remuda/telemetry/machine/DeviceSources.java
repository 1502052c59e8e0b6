package io.remuda.telemetry.machine;

import io.remuda.telemetry.amd.AmdDeviceSource;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.nvml.NvmlDeviceSource;
import io.remuda.telemetry.simulated.SimulatedDeviceSource;
import io.remuda.telemetry.simulated.SimulatedMachine;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.thread.DaemonThread;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Selects the source of device readings. Never fails, because a node without GPUs is valid. */
public final class DeviceSources {
  /** Path or name of the driver's library; by default {@code libnvidia-ml.so.1}. */
  public static final String NVML_LIBRARY = "REMUDA_NVML_LIBRARY";

  /** Where sysfs is mounted, for AMD GPUs; by default {@code /sys}. */
  public static final String SYSFS = "REMUDA_SYSFS";

  private static final String CUDA_VISIBLE = "CUDA_VISIBLE_DEVICES";
  private static final String ROCR_VISIBLE = "ROCR_VISIBLE_DEVICES";
  private static final List<String> VISIBILITY = List.of(CUDA_VISIBLE, ROCR_VISIBLE);

  private static final String DEFAULT_NVML_LIBRARY = "libnvidia-ml.so.1";
  private static final Duration OPENING_LIMIT = Duration.ofSeconds(30);

  private DeviceSources() {}

  /**
   * Opens the GPUs of this machine that CUDA_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES leave
   * visible: NVIDIA first, then AMD. Without a driver, or if it does not open, the source has no
   * devices and its description states the reason.
   *
   * @param environment the process environment: these two, {@link #NVML_LIBRARY}, {@link #SYSFS}
   */
  public static DeviceSource open(Map<String, String> environment) {
    return open(environment, OPENING_LIMIT);
  }

  /**
   * Opens the GPUs as {@link #open(Map)} does, with a time limit for opening the NVIDIA driver.
   *
   * @param limit how long to wait; a thread that hangs in the driver is abandoned
   */
  public static DeviceSource open(Map<String, String> environment, Duration limit) {
    DeviceSource nvidia = openNvidia(environment, limit);
    DeviceSource amd =
        AmdDeviceSource.open(
            Path.of(environment.getOrDefault(SYSFS, "/sys")),
            environment.get(ROCR_VISIBLE),
            System::nanoTime);
    return amd.inventory().isEmpty() ? nvidia : new CombinedDeviceSource(List.of(nvidia, amd));
  }

  private static DeviceSource openNvidia(Map<String, String> environment, Duration limit) {
    String library = environment.getOrDefault(NVML_LIBRARY, DEFAULT_NVML_LIBRARY);
    String visible = environment.get(CUDA_VISIBLE);
    CompletableFuture<DeviceSource> opening = new CompletableFuture<>();
    DaemonThread.start("telemetry-open", () -> openNvml(library, visible, opening));
    try {
      return opening.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return abandon(opening, library + " did not open within " + limit.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return abandon(opening, "interrupted while opening " + library);
    } catch (ExecutionException e) {
      return new AbsentDeviceSource(
          "no NVIDIA driver: " + library + " cannot be used: " + inShort(e.getCause()));
    }
  }

  /** Returns the loader's message: JNA puts it on the second line, before the class path. */
  private static String inShort(Throwable failure) {
    List<String> lines = String.valueOf(failure.getMessage()).lines().limit(2).toList();
    return lines.isEmpty() ? failure.toString() : lines.get(lines.size() - 1);
  }

  /**
   * Creates simulated GPUs. CUDA_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES hide none of them: these
   * name devices of the machine, and a batch system sets them without asking.
   *
   * @param spec models and counts such as {@code h200:8} or {@code h200:4,a100:4}, or the name of a
   *     machine such as {@code dgx-h200}
   * @param machineSeed names the machine: equal seeds give equal UUIDs and readings
   * @throws IllegalArgumentException when the specification names no known model
   */
  public static DeviceSource simulated(String spec, String machineSeed) {
    return new SimulatedDeviceSource(SimulatedMachine.parse(spec, machineSeed));
  }

  /**
   * Returns what to tell people who simulate GPUs where a variable names visible ones; empty if
   * none does.
   *
   * @param environment the process environment
   */
  public static Optional<String> simulationNote(Map<String, String> environment) {
    List<String> set =
        VISIBILITY.stream()
            .filter(name -> !environment.getOrDefault(name, "").isBlank())
            .map(name -> name + "=" + environment.get(name))
            .toList();
    return set.isEmpty()
        ? Optional.empty()
        : Optional.of(
            String.join(" and ", set)
                + " is for this machine's own GPUs: all simulated ones are lent");
  }

  private static void openNvml(
      String library, String visible, CompletableFuture<DeviceSource> opening) {
    try {
      DeviceSource source = NvmlDeviceSource.open(library, visible, System::nanoTime);
      if (!opening.complete(source)) {
        source.close();
      }
    } catch (RuntimeException | LinkageError e) {
      opening.completeExceptionally(e);
    }
  }

  private static DeviceSource abandon(CompletableFuture<DeviceSource> opening, String cause) {
    AbsentDeviceSource absent = new AbsentDeviceSource(cause);
    return opening.complete(absent) ? absent : opening.join();
  }

  /** A source without devices; its description states the reason. */
  private record AbsentDeviceSource(String description) implements DeviceSource {
    @Override
    public List<DeviceInfo> inventory() {
      return List.of();
    }

    @Override
    public List<DeviceSample> sample() {
      return List.of();
    }

    @Override
    public void close() {}
  }
}
