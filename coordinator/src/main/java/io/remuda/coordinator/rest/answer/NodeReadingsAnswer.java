package io.remuda.coordinator.rest.answer;

import io.remuda.telemetry.model.FileSystemReading;
import io.remuda.telemetry.model.HostDetails;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.model.TemperatureReading;
import io.remuda.telemetry.model.TransferReading;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/**
 * The newest readings of a node's machine; null is not known.
 *
 * @param time of the readings, by the node's clock, in ISO 8601
 * @param cpuBusy part of the time of all CPUs in which they were busy, 0 to 1
 * @param coresBusy how busy each core was, percent
 * @param disks only those that are not made of others
 * @param networks only those whose traffic is in no other one
 * @param fileSystems only those that answer
 */
public record NodeReadingsAnswer(
    String node,
    String time,
    double load1,
    double load5,
    double load15,
    Double cpuBusy,
    List<Integer> coresBusy,
    long memoryBytes,
    long availableMemoryBytes,
    List<Disk> disks,
    List<Network> networks,
    List<Temperature> temperatures,
    List<FileSystem> fileSystems) {

  /** A disk, with what it read and wrote since the machine started, and does in a second. */
  public record Disk(
      String name,
      long readBytes,
      long writtenBytes,
      Double readBytesPerSecond,
      Double writtenBytesPerSecond) {

    private static Disk of(TransferReading disk) {
      return new Disk(
          disk.name(),
          disk.inBytes(),
          disk.outBytes(),
          rounded(disk.inRate()),
          rounded(disk.outRate()));
    }
  }

  /** A network interface, likewise. */
  public record Network(
      String name,
      long receivedBytes,
      long sentBytes,
      Double receivedBytesPerSecond,
      Double sentBytesPerSecond) {

    private static Network of(TransferReading network) {
      return new Network(
          network.name(),
          network.inBytes(),
          network.outBytes(),
          rounded(network.inRate()),
          rounded(network.outRate()));
    }
  }

  /** A temperature, not of a GPU. */
  public record Temperature(String sensor, double celsius) {

    private static Temperature of(TemperatureReading reading) {
      return new Temperature(reading.sensor(), reading.celsius());
    }
  }

  /**
   * A file system.
   *
   * @param freeBytes that users may still write
   */
  public record FileSystem(
      String mount, String type, long sizeBytes, long usedBytes, long freeBytes) {

    private static FileSystem of(FileSystemReading files) {
      return new FileSystem(files.mount(), files.type(), files.size(), files.used(), files.free());
    }
  }

  /** Returns the answer. */
  public static NodeReadingsAnswer of(NodeSample sample) {
    HostSample host = sample.host();
    HostDetails details = host.details();
    return new NodeReadingsAnswer(
        sample.node(),
        Instant.ofEpochMilli(sample.atEpochMillis()).toString(),
        host.load1(),
        host.load5(),
        host.load15(),
        host.cpuBusyRatio(),
        details.cores(),
        host.memTotal(),
        host.memAvailable(),
        list(details.disks(), Disk::of),
        list(details.networks(), Network::of),
        list(details.temperatures(), Temperature::of),
        list(details.fileSystems(), FileSystem::of));
  }

  private static <T, R> List<R> list(List<T> readings, Function<T, R> each) {
    return readings == null ? null : readings.stream().map(each).toList();
  }

  /** Returns whole bytes. */
  private static Double rounded(Double rate) {
    return rate == null ? null : Double.valueOf(Math.rint(rate));
  }
}
