package io.remuda.coordinator.slurm.difference;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A script that is run on both sides.
 *
 * @param wishes what a test does for it, by name, with a value that may be empty: {@code fault} the
 *     known fault that it is about, {@code stdin} the script comes from there, {@code file} a file
 *     of a line that is there before, {@code folder} a folder, {@code requeue} and {@code signal}
 *     what is done once it has made a file {@code started}, {@code needs} a program
 * @param lines of the script
 */
record SbatchHead(String name, Map<String, String> wishes, List<String> lines) {

  /** Runs the child process that writes down what it sees. */
  private static final List<String> USUAL_BODY = List.of("@PROBE@", "echo out", "echo err >&2");

  SbatchHead {
    wishes = Map.copyOf(wishes);
    lines = List.copyOf(lines);
  }

  /** Reads all of a resource, each after a line {@code == NAME}. */
  static List<SbatchHead> of(String resource) {
    Path file = Path.of("src", "test", "resources", "sbatch", resource);
    List<SbatchHead> all = new ArrayList<>();
    try {
      String text =
          Files.readString(Files.exists(file) ? file : Path.of("coordinator").resolve(file));
      for (String part : text.split("(?m)^== ")) {
        if (!part.isBlank() && !part.startsWith("#")) {
          all.add(read(part.stripTrailing().lines().toList()));
        }
      }
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
    return all;
  }

  private static SbatchHead read(List<String> part) {
    Map<String, String> wishes = new LinkedHashMap<>();
    List<String> lines = new ArrayList<>();
    for (String line : part.subList(1, part.size())) {
      if (line.matches("@[a-z].*")) {
        String[] words = line.substring(1).split(" ", 2);
        wishes.put(words[0], words.length > 1 ? words[1] : "");
      } else {
        lines.add(line);
      }
    }
    if (lines.isEmpty() || !lines.get(0).startsWith("#!")) {
      lines.add(0, "#!/bin/bash");
    }
    if (lines.stream().allMatch(line -> line.isBlank() || line.startsWith("#"))) {
      lines.addAll(USUAL_BODY);
    }
    return new SbatchHead(part.get(0).strip(), wishes, lines);
  }

  /** Returns whether a test does something for it. */
  boolean wishes(String what) {
    return wishes.containsKey(what);
  }
}
