package io.remuda.telemetry.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder laid out as sysfs is on a machine with AMD GPUs. */
public final class FakeSysfs {

  private final Path sys;

  public FakeSysfs(Path sys) {
    this.sys = sys;
  }

  public Path path() {
    return sys;
  }

  /** A GPU with all that an MI300X shows. */
  public FakeSysfs gpu(int card, String busId, String uniqueId) {
    String device = device(card);
    write(device + "vendor", "0x1002");
    write(device + "unique_id", uniqueId);
    write(device + "product_name", "AMD Instinct MI300X");
    write(device + "uevent", "DRIVER=amdgpu\nPCI_CLASS=38000\nPCI_SLOT_NAME=" + busId);
    write(device + "gpu_busy_percent", "37");
    write(device + "mem_busy_percent", "12");
    write(device + "mem_info_vram_total", Long.toString(192L << 30));
    write(device + "mem_info_vram_used", Long.toString(3L << 30));
    write(device + "ras/umc_err_count", "ue: 2\nce: 40");
    write(hwmon(card) + "temp1_input", "61000");
    write(hwmon(card) + "power1_average", "250000000");
    write(hwmon(card) + "power1_cap", "750000000");
    write(hwmon(card) + "freq1_input", "2100000000");
    write(hwmon(card) + "freq2_input", "1300000000");
    return this;
  }

  /** KFD's view of a GPU, by which processes are told. */
  public FakeSysfs kfd(int node, long gpuId, String uniqueId) {
    String folder = "class/kfd/kfd/topology/nodes/" + node + "/";
    write(folder + "gpu_id", Long.toString(gpuId));
    long number = uniqueId.isEmpty() ? 0 : Long.parseUnsignedLong(uniqueId, 16);
    write(
        folder + "properties",
        "cpu_cores_count 0\nunique_id " + Long.toUnsignedString(number) + "\nmax_engine_clk 2100");
    return this;
  }

  /** A compute process and its memory on a GPU. */
  public FakeSysfs process(long pid, long gpuId, long bytes) {
    write("class/kfd/kfd/proc/" + pid + "/vram_" + gpuId, Long.toString(bytes));
    return this;
  }

  public static String device(int card) {
    return "class/drm/card" + card + "/device/";
  }

  public static String hwmon(int card) {
    return device(card) + "hwmon/hwmon" + (card + 3) + "/";
  }

  public FakeSysfs write(String file, String text) {
    try {
      Path path = sys.resolve(file);
      Files.createDirectories(path.getParent());
      Files.writeString(path, text + "\n");
      return this;
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  public FakeSysfs remove(String file) {
    try (Stream<Path> tree = Files.walk(sys.resolve(file))) {
      List<Path> all = tree.sorted(Comparator.reverseOrder()).toList();
      for (Path path : all) {
        Files.delete(path);
      }
      return this;
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
