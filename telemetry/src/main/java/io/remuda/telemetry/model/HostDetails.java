package io.remuda.telemetry.model;

import java.util.List;
import java.util.function.Function;

/**
 * What a machine does besides its load and memory. Each part is null if it is not known, as in what
 * an earlier build sends. Only disks and interfaces whose traffic is in no other one are listed, so
 * that sums count nothing twice: no loopback, no bridge, no disk made of others.
 *
 * @param cpu time of all CPUs by mode
 * @param cores how busy each core was since the reading before this one, percent, by its number
 * @param disks those of which the machine has a device
 * @param networks those of which the machine has a device; without one, as in a container, those
 *     that lead out of it
 * @param temperatures a bounded number of them, none of single cores
 * @param fileSystems a bounded number; one that does not answer is left out
 */
public record HostDetails(
    CpuSeconds cpu,
    List<Integer> cores,
    List<TransferReading> disks,
    List<TransferReading> networks,
    List<TemperatureReading> temperatures,
    List<FileSystemReading> fileSystems) {
  /** Details of a machine of which nothing more is known. */
  public static final HostDetails UNKNOWN = new HostDetails(null, null, null, null, null, null);

  public HostDetails {
    cores = copy(cores);
    disks = copy(disks);
    networks = copy(networks);
    temperatures = copy(temperatures);
    fileSystems = copy(fileSystems);
  }

  private static <T> List<T> copy(List<T> list) {
    return list == null ? null : List.copyOf(list);
  }

  /** Returns the bytes per second that all disks read; null if that of one is not known. */
  public Double diskRead() {
    return sum(disks, TransferReading::inRate);
  }

  /** Returns the bytes per second that are written to all disks, as {@link #diskRead}. */
  public Double diskWrite() {
    return sum(disks, TransferReading::outRate);
  }

  /** Returns the bytes per second that all interfaces receive, as {@link #diskRead}. */
  public Double networkReceived() {
    return sum(networks, TransferReading::inRate);
  }

  /** Returns the bytes per second that all interfaces send, as {@link #diskRead}. */
  public Double networkSent() {
    return sum(networks, TransferReading::outRate);
  }

  private static Double sum(List<TransferReading> parts, Function<TransferReading, Double> rate) {
    if (parts == null || parts.isEmpty()) {
      return null;
    }
    double sum = 0;
    for (TransferReading part : parts) {
      Double one = rate.apply(part);
      if (one == null) {
        return null;
      }
      sum += one;
    }
    return sum;
  }

  /** Returns the highest temperature in degrees Celsius; null if none is known. */
  public Double hottest() {
    return temperatures == null || temperatures.isEmpty()
        ? null
        : Double.valueOf(
            temperatures.stream().mapToDouble(TemperatureReading::celsius).max().orElseThrow());
  }
}
