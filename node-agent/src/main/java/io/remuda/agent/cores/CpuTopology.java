package io.remuda.agent.cores;

import io.remuda.agent.keeper.proc.CpuSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The CPUs of this machine, as the kernel describes them. Every method reads files of the kernel,
 * which does not block. Any thread.
 *
 * @param root folder with {@code sys} and {@code proc}
 */
public record CpuTopology(Path root) {

  private static final String ALLOWED = "Cpus_allowed_list:";

  /** Returns that of this machine. */
  public static CpuTopology here() {
    return new CpuTopology(Path.of("/"));
  }

  /** Returns the CPUs that this process may use; none if the kernel does not tell. */
  CpuSet allowed() {
    try {
      for (String line : Files.readAllLines(root.resolve("proc/self/status"))) {
        if (line.startsWith(ALLOWED)) {
          return CpuSet.parse(line.substring(ALLOWED.length()));
        }
      }
    } catch (IOException | IllegalArgumentException untold) {
      return CpuSet.NONE;
    }
    return CpuSet.NONE;
  }

  /** Returns the cores, each with its hardware threads, of these CPUs. */
  List<CpuSet> cores(CpuSet cpus) {
    List<CpuSet> cores = new ArrayList<>();
    CpuSet rest = cpus;
    while (!rest.isEmpty()) {
      int first = rest.numbers().first();
      CpuSet one = CpuSet.of(List.of(first));
      CpuSet core =
          list("sys/devices/system/cpu/cpu" + first + "/topology/thread_siblings_list")
              .map(rest::and)
              .orElse(one)
              .or(one);
      cores.add(core);
      rest = rest.without(core);
    }
    return cores;
  }

  /** Returns the CPUs of each NUMA node; empty if the kernel does not tell. */
  List<CpuSet> memoryNodes() {
    Path folder = root.resolve("sys/devices/system/node");
    try (Stream<Path> nodes = Files.list(folder)) {
      return nodes
          .map(node -> node.getFileName().toString())
          .filter(name -> name.matches("node\\d+"))
          .sorted()
          .flatMap(name -> list("sys/devices/system/node/" + name + "/cpulist").stream())
          .filter(cpus -> !cpus.isEmpty())
          .toList();
    } catch (IOException untold) {
      return List.of();
    }
  }

  /**
   * Returns the CPUs next to a device; none if the kernel does not tell.
   *
   * @param pciBusId as a driver writes it, with 4 or 8 digits for the domain
   */
  CpuSet near(String pciBusId) {
    String address = pciBusId.toLowerCase(Locale.ROOT).replaceFirst("^0{4}(?=[0-9a-f]{4}:)", "");
    return address.matches("[0-9a-f:.]+")
        ? list("sys/bus/pci/devices/" + address + "/local_cpulist").orElse(CpuSet.NONE)
        : CpuSet.NONE;
  }

  private Optional<CpuSet> list(String file) {
    try {
      return Optional.of(CpuSet.parse(Files.readString(root.resolve(file))));
    } catch (IOException | IllegalArgumentException untold) {
      return Optional.empty();
    }
  }
}
