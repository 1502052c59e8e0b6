package io.remuda.telemetry.host;

import io.remuda.telemetry.model.TemperatureReading;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Reads temperatures of chips, and if the kernel has none of these, of thermal zones. */
final class TemperatureReader {
  private static final int MOST = 32;
  private static final double MILLI = 1000;

  /** What a sensor says that is not there; machines melt before. */
  private static final double LEAST = -100;

  private static final double GREATEST = 250;
  private static final String INPUT = "_input";

  private TemperatureReader() {}

  /** Returns the temperatures by name of chip and label; empty if there is none. */
  static List<TemperatureReading> read(Path sys) {
    List<TemperatureReading> found = new ArrayList<>();
    for (Path chip : sorted(sys.resolve("class/hwmon"), "hwmon*")) {
      String name = KernelFile.text(chip.resolve("name"));
      for (Path input : sorted(chip, "temp*" + INPUT)) {
        String file = input.getFileName().toString();
        String stem = file.substring(0, file.length() - INPUT.length());
        String label = KernelFile.text(chip.resolve(stem + "_label"));
        if (!label.startsWith("Core ")) {
          add(found, name + " " + (label.isEmpty() ? stem : label), input);
        }
      }
    }
    if (found.isEmpty()) {
      for (Path zone : sorted(sys.resolve("class/thermal"), "thermal_zone*")) {
        add(found, KernelFile.text(zone.resolve("type")), zone.resolve("temp"));
      }
    }
    return List.copyOf(found);
  }

  private static void add(List<TemperatureReading> to, String sensor, Path input) {
    Long milli = to.size() < MOST ? KernelFile.number(input) : null;
    if (milli != null && milli / MILLI > LEAST && milli / MILLI < GREATEST) {
      to.add(new TemperatureReading(unique(to, sensor.strip()), milli / MILLI));
    }
  }

  /** Two disks have the same chip: the second gets a number. */
  private static String unique(List<TemperatureReading> there, String sensor) {
    String name = sensor;
    for (int number = 2; has(there, name); number++) {
      name = sensor + " #" + number;
    }
    return name;
  }

  private static boolean has(List<TemperatureReading> there, String name) {
    return there.stream().anyMatch(reading -> reading.sensor().equals(name));
  }

  private static List<Path> sorted(Path folder, String pattern) {
    List<Path> paths = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, pattern)) {
      entries.forEach(paths::add);
    } catch (IOException | DirectoryIteratorException none) {
      return List.of(); // what cannot be listed is not known
    }
    Collections.sort(paths);
    return paths;
  }
}
