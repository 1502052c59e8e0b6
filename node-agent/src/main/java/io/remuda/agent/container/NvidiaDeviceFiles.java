package io.remuda.agent.container;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the device files of NVIDIA's GPUs. */
final class NvidiaDeviceFiles {

  private static final Pattern UUID = Pattern.compile("GPU UUID:\\s+(\\S+)");
  private static final Pattern MINOR = Pattern.compile("Device Minor:\\s+(\\d+)");

  private NvidiaDeviceFiles() {}

  /**
   * Returns those that all GPUs share, and those of these GPUs. All of them if one cannot be told,
   * as for a part of a GPU: then a variable selects.
   *
   * @param root {@code /}, or a folder with the same files for tests
   */
  static List<String> of(Path root, List<String> uuids) {
    List<String> shared = new ArrayList<>();
    List<String> single = new ArrayList<>();
    String[] names = root.resolve("dev").toFile().list();
    String[] all = names == null ? new String[0] : names;
    Arrays.sort(all);
    for (String name : all) {
      if (name.matches("nvidia\\d+")) {
        single.add(name);
      } else if (name.startsWith("nvidia") && !root.resolve("dev/" + name).toFile().isDirectory()) {
        shared.add(name);
      }
    }
    List<String> lent = lent(root, uuids);
    List<String> own = lent.size() == uuids.size() && single.containsAll(lent) ? lent : single;
    shared.addAll(own);
    return shared.stream().map(name -> "/dev/" + name).toList();
  }

  private static List<String> lent(Path root, List<String> uuids) {
    List<String> lent = new ArrayList<>();
    File[] gpus = root.resolve("proc/driver/nvidia/gpus").toFile().listFiles();
    for (File gpu : gpus == null ? new File[0] : gpus) {
      try {
        String text = Files.readString(gpu.toPath().resolve("information"));
        Matcher uuid = UUID.matcher(text);
        Matcher minor = MINOR.matcher(text);
        if (uuid.find() && minor.find() && uuids.contains(uuid.group(1))) {
          lent.add("nvidia" + minor.group(1));
        }
      } catch (IOException unreadable) {
        return List.of(); // all of them
      }
    }
    return lent;
  }
}
