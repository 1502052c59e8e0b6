package io.remuda.examples.telemetry;

import io.remuda.telemetry.host.LinuxHost;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.telemetry.render.TelemetryLines;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.source.SampleProgressListener;
import io.remuda.telemetry.source.TelemetrySampler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A source of device readings of one's own: a file that another program keeps up to date. A line is
 * a device: {@code UUID PCI-ADDRESS TOTAL-MIB USED-MIB GPU-% MEMORY-% DEGREES MILLIWATTS
 * LIMIT-MILLIWATTS}, with {@code -} for a reading that is not available.
 *
 * <p>A source offers an inventory in a stable order, known without a driver call; a sample for each
 * of its devices; null for a missing reading, never 0; and STALE samples, not exceptions, when
 * reading fails or the source is closed. {@code DeviceSourceContract} checks this for all sources.
 */
public final class ReadingsFileSource implements DeviceSource {

  private final Path file;
  private final List<DeviceInfo> inventory;
  private volatile boolean closed;

  /** Opens a file; its devices are listed once, here. */
  public ReadingsFileSource(Path file) throws IOException {
    this.file = file;
    List<String> lines = Files.readAllLines(file);
    this.inventory =
        IntStream.range(0, lines.size()).mapToObj(i -> info(i, words(lines.get(i)))).toList();
  }

  private static String[] words(String line) {
    return line.strip().split("\\s+");
  }

  private static DeviceInfo info(int index, String[] words) {
    long bytes = Long.parseLong(words[2]) << 20;
    DeviceId id = new DeviceId(words[0]);
    return new DeviceInfo(id, index, DeviceVendor.SIMULATED, "file GPU", words[1], bytes, "file");
  }

  @Override
  public List<DeviceInfo> inventory() {
    return inventory;
  }

  @Override
  public List<DeviceSample> sample() {
    return DeviceSource.all(this);
  }

  @Override
  public void sampleEach(SampleProgressListener progress) {
    for (DeviceInfo device : inventory) {
      if (progress.starting(device.id())) {
        progress.sampled(closed ? DeviceSample.stale(device, "file", "CLOSED") : read(device));
      }
    }
  }

  private DeviceSample read(DeviceInfo device) {
    try {
      return sample(device, words(Files.readAllLines(file).get(device.index())));
    } catch (IOException | RuntimeException unreadable) { // such as a line half written
      return DeviceSample.stale(device, "file", unreadable.getClass().getSimpleName());
    }
  }

  private static DeviceSample sample(DeviceInfo device, String[] words) {
    Long used = words[3].equals("-") ? null : Long.parseLong(words[3]) << 20;
    return DeviceSampleBuilder.of(device)
        .memTotal(device.memoryTotalBytes())
        .memUsed(used)
        .memFree(used == null ? null : device.memoryTotalBytes() - used)
        .utilGpu(number(words[4]))
        .utilMem(number(words[5]))
        .tempC(number(words[6]))
        .powerMw(number(words[7]))
        .powerLimitMw(number(words[8]))
        .build();
  }

  private static Integer number(String word) {
    return word.equals("-") ? null : Integer.valueOf(word);
  }

  @Override
  public String description() {
    return "readings file " + file;
  }

  @Override
  public void close() {
    closed = true;
  }

  /** Arguments: a file and a number of samples. */
  public static void main(String[] arguments) throws Exception {
    DeviceSource file = new ReadingsFileSource(Path.of(arguments[0]));
    LinuxHost host = LinuxHost.open(System.getenv());
    try (var sampler = TelemetrySampler.start(file, host, Duration.ofSeconds(1), "example")) {
      for (int left = Integer.parseInt(arguments[1]); left > 0; left--) {
        System.out.println(TelemetryLines.plain(sampler.sample()));
        Thread.sleep(1000);
      }
    }
  }
}
