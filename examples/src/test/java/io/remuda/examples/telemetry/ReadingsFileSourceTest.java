package io.remuda.examples.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.examples.PrintedLines;
import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.source.DeviceSourceContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The readings file passes the contract of all sources. */
class ReadingsFileSourceTest extends DeviceSourceContract {

  @TempDir private Path folder;

  private Path write(String first) throws IOException {
    return Files.write(
        folder.resolve("readings"),
        List.of(first, "GPU-b 00000000:11:00.0 24576 4096 80 40 70 200000 300000"));
  }

  @Override
  protected DeviceSource open() {
    try {
      return new ReadingsFileSource(
          write("GPU-a 00000000:10:00.0 24576 1024 37 12 61 150000 300000"));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  @Test
  void a_changed_file_gives_new_readings_and_a_dash_is_a_missing_one() throws Exception {
    try (DeviceSource source = open()) {
      write("GPU-a 00000000:10:00.0 24576 2048 - 12 61 150000 300000");
      DeviceSample sample = source.sample().get(0);

      assertNull(sample.utilGpu());
      assertEquals(2048L << 20, sample.memUsed());
    }
  }

  @Test
  void a_file_that_cannot_be_read_makes_its_devices_stale() throws Exception {
    try (DeviceSource source = open()) {
      write("GPU-a half a line");
      List<DeviceHealth> health = source.sample().stream().map(DeviceSample::health).toList();
      assertEquals(List.of(DeviceHealth.STALE, DeviceHealth.OK), health);
    }
  }

  @Test
  void the_example_prints_a_line_for_each_sample() throws Exception {
    Path file = write("GPU-a 00000000:10:00.0 24576 1024 37 12 61 150000 300000");

    List<String> lines = PrintedLines.of(ReadingsFileSource::main, file.toString(), "1");

    assertEquals(1, lines.size());
    assertEquals("device # 0 utilization: 37.00%", lines.get(0).replaceFirst(".*(device #)", "$1"));
  }
}
