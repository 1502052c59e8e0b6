package io.remuda.agent.container;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NvidiaDeviceFilesTest {

  @TempDir private Path root;

  /** Two devices, of which the numbers of the files are not those of the bus. */
  @BeforeEach
  void makeNode() throws IOException {
    Files.createDirectories(root.resolve("dev/nvidia-caps"));
    for (String name : List.of("nvidia0", "nvidia1", "nvidiactl", "nvidia-uvm", "null")) {
      Files.createFile(root.resolve("dev").resolve(name));
    }
    addGpu("0000:01:00.0", "GPU-a", 1);
    addGpu("0000:02:00.0", "GPU-b", 0);
  }

  private void addGpu(String bus, String uuid, int minor) throws IOException {
    Path gpu = Files.createDirectories(root.resolve("proc/driver/nvidia/gpus").resolve(bus));
    Files.writeString(
        gpu.resolve("information"),
        "Model: \t\t NVIDIA A\nGPU UUID: \t %s\nDevice Minor: \t %d\n".formatted(uuid, minor));
  }

  @Test
  void a_container_gets_the_shared_files_and_those_of_its_own_devices() {
    assertEquals(
        List.of("/dev/nvidia-uvm", "/dev/nvidiactl", "/dev/nvidia1"),
        NvidiaDeviceFiles.of(root, List.of("GPU-a")));
    assertEquals(
        List.of("/dev/nvidia-uvm", "/dev/nvidiactl", "/dev/nvidia0"),
        NvidiaDeviceFiles.of(root, List.of("GPU-b")));
  }

  @Test
  void of_a_part_of_a_device_all_files_are_given() {
    assertEquals(
        List.of("/dev/nvidia-uvm", "/dev/nvidiactl", "/dev/nvidia0", "/dev/nvidia1"),
        NvidiaDeviceFiles.of(root, List.of("MIG-1")));
  }

  @Test
  void a_node_without_the_drivers_folder_has_no_files() throws IOException {
    Path empty = Files.createDirectories(root.resolve("empty"));
    assertEquals(List.of(), NvidiaDeviceFiles.of(empty, List.of("GPU-a")));
  }
}
