package io.remuda.telemetry.amd;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The compute processes of each GPU, as the kernel's KFD lists them: {@code
 * class/kfd/kfd/proc/PID/vram_GPUID}, in bytes.
 */
final class KfdProcesses {

  private final Path proc;
  private final Map<DeviceId, String> gpuIds = new HashMap<>();

  /** The GPUs in the order of their nodes; null for one without an identifier. */
  private final List<DeviceId> order = new ArrayList<>();

  /** Looks up KFD's own number of each GPU; without KFD all process lists are empty. */
  KfdProcesses(Path sys) {
    proc = sys.resolve("class/kfd/kfd/proc");
    List<Path> nodes = new ArrayList<>(list(sys.resolve("class/kfd/kfd/topology/nodes")));
    nodes.sort(Comparator.comparingInt(KfdProcesses::number));
    for (Path node : nodes) {
      Optional<String> gpuId = SysfsFile.text(node.resolve("gpu_id")).filter(id -> !id.equals("0"));
      if (gpuId.isPresent()) {
        Optional<DeviceId> id = uniqueId(node);
        id.ifPresent(one -> gpuIds.put(one, gpuId.get()));
        order.add(id.orElse(null));
      }
    }
  }

  private static int number(Path node) {
    String name = node.getFileName().toString();
    return name.matches("\\d{1,9}") ? Integer.parseInt(name) : Integer.MAX_VALUE;
  }

  /**
   * Returns the position of a GPU among all that KFD lists, by which ROCm counts; null if KFD does
   * not list it.
   */
  Integer ordinal(DeviceId device) {
    int position = order.indexOf(device);
    return position < 0 ? null : position;
  }

  /**
   * Reads the unique id of a GPU, which KFD writes in decimal and the card's own file in
   * hexadecimal.
   */
  private static Optional<DeviceId> uniqueId(Path node) {
    return SysfsFile.text(node.resolve("properties"))
        .flatMap(text -> text.lines().filter(line -> line.startsWith("unique_id ")).findFirst())
        .map(line -> Long.parseUnsignedLong(line.substring("unique_id ".length()).strip()))
        .map(AmdDeviceSource::idOf);
  }

  List<DeviceProcess> of(DeviceId device) {
    List<DeviceProcess> found = new ArrayList<>();
    String gpuId = gpuIds.get(device);
    for (Path process : gpuId == null ? List.<Path>of() : list(proc)) {
      String pid = process.getFileName().toString();
      if (pid.matches("\\d{1,9}")) {
        SysfsFile.numberIfThere(process.resolve("vram_" + gpuId))
            .ifPresent(bytes -> found.add(new DeviceProcess(Long.parseLong(pid), bytes)));
      }
    }
    return found;
  }

  private static List<Path> list(Path folder) {
    try (Stream<Path> all = Files.list(folder)) {
      return all.sorted().toList();
    } catch (IOException none) {
      return List.of();
    }
  }
}
