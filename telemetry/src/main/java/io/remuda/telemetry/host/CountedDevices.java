package io.remuda.telemetry.host;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which disks and network interfaces are counted: those that stand for a device of the machine.
 * What passes through a disk made of others (LVM, RAID, loop) or through a bridge, a VLAN or a bond
 * passes through these, too, and would be counted twice.
 */
final class CountedDevices {
  private static final String DEVICE = "device";

  private CountedDevices() {}

  /** Returns the names of disks. */
  static Set<String> disks(Path sys) {
    return names(
        sys.resolve("block"),
        disk ->
            Files.exists(disk.resolve(DEVICE))
                && !name(disk).matches("(loop|ram|zram|dm-|md|sr|fd)\\d.*")
                && !KernelFile.text(disk.resolve("hidden")).equals("1"));
  }

  /**
   * Returns the names of interfaces. A container has none with a device; there, those are counted
   * that have their other end outside.
   */
  static Set<String> networks(Path sys) {
    Path all = sys.resolve("class/net");
    Set<String> real = names(all, CountedDevices::isReal);
    return real.isEmpty() ? names(all, CountedDevices::leadsOut) : real;
  }

  private static boolean isReal(Path network) {
    return Files.exists(network.resolve(DEVICE))
        && !Files.exists(network.resolve("device/physfn")) // its traffic is that of another one
        && !Files.exists(network.resolve("master/device"));
  }

  private static boolean leadsOut(Path network) {
    String link = KernelFile.text(network.resolve("iflink"));
    return !link.isEmpty() && !link.equals(KernelFile.text(network.resolve("ifindex")));
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }

  private static Set<String> names(Path folder, Predicate<Path> counted) {
    Set<String> names = new HashSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        if (counted.test(entry)) {
          names.add(name(entry));
        }
      }
    } catch (IOException | DirectoryIteratorException none) {
      return names; // what cannot be listed is not known
    }
    return names;
  }
}
