package io.remuda.bench;

import io.remuda.telemetry.host.LinuxHost;
import io.remuda.telemetry.machine.DeviceSources;
import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.nvml.NvmlDeviceSource;
import io.remuda.telemetry.source.TelemetrySampler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures one sample of the GPUs that the driver of {@code REMUDA_NVML_LIBRARY} lists; {@code
 * driver-time.c} makes the same driver calls without Java.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
public class GpuSamplingBenchmark {

  private static final int GPUS = 8;

  /**
   * Pause before each sample, because an agent's CPU caches are cold after the time between two
   * ticks.
   */
  @Param({"0", "50"})
  private int pauseMillis;

  private NvmlDeviceSource source;
  private TelemetrySampler sampler;

  @Setup
  public void open() {
    String library = System.getenv(DeviceSources.NVML_LIBRARY);
    source = NvmlDeviceSource.open(library, null, System::nanoTime);
    sampler =
        TelemetrySampler.start(
            NvmlDeviceSource.open(library, null, System::nanoTime),
            LinuxHost.open(System.getenv()),
            Duration.ofSeconds(2),
            "bench");
    check(source.sample());
    check(sampler.sample().devices());
  }

  @Setup(Level.Invocation)
  public void pause() throws InterruptedException {
    if (pauseMillis > 0) {
      Thread.sleep(pauseMillis);
    }
  }

  /** Reads all values except process lists, as in four of five ticks. */
  @Benchmark
  public List<DeviceSample> readings() {
    return source.sample();
  }

  /** Reads all values and the process lists, as in every fifth tick. */
  @Benchmark
  public List<DeviceSample> readingsAndProcesses() {
    source.refreshProcesses();
    return source.sample();
  }

  /** Runs a whole tick of an agent: reads the machine, and the GPUs on the reading thread. */
  @Benchmark
  public NodeSample tick() {
    return sampler.sample();
  }

  @TearDown
  public void close() {
    check(source.sample());
    check(sampler.sample().devices());
    source.close();
    sampler.close();
  }

  private static void check(List<DeviceSample> samples) {
    boolean good =
        samples.size() == GPUS
            && samples.stream()
                .allMatch(gpu -> gpu.health() == DeviceHealth.OK && gpu.utilGpu() != null);
    if (!good) {
      throw new IllegalStateException("not " + GPUS + " good readings: " + samples);
    }
  }
}
