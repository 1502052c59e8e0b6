package io.remuda.telemetry.amd;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

  /** Looks up KFD's own number of each GPU; without KFD all process lists are empty. */
  KfdProcesses(Path sys) {
    proc = sys.resolve("class/kfd/kfd/proc");
    for (Path node : list(sys.resolve("class/kfd/kfd/topology/nodes"))) {
      Optional<String> gpuId = SysfsFile.text(node.resolve("gpu_id")).filter(id -> !id.equals("0"));
      uniqueId(node).ifPresent(id -> gpuId.ifPresent(number -> gpuIds.put(id, number)));
    }
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
