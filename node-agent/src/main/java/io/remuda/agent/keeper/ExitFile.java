package io.remuda.agent.keeper;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The file {@code exit} of a task folder: lines of key=value, from {@code version=1} to {@code
 * end=1}, so that a truncated file is recognised. It appears complete or not at all.
 */
public final class ExitFile {
  private static final String NAME = "exit";
  private static final int VERSION = 1;

  private ExitFile() {}

  /** Returns the record, empty if missing or truncated; throws if a newer keeper wrote it. */
  public static Optional<ExitRecord> read(Path taskFolder) throws IOException {
    Path file = taskFolder.resolve(NAME);
    if (!file.toFile().exists()) { // usual at a start; an exception is expensive
      return Optional.empty();
    }
    String text;
    try {
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
    Map<String, String> fields = fields(text);
    if (!"1".equals(fields.get("end"))) {
      return Optional.empty();
    }
    if (!Integer.toString(VERSION).equals(fields.get("version"))) {
      throw new IOException(
          taskFolder.resolve(NAME) + ": version " + fields.get("version") + ", this knows 1");
    }
    try {
      return Optional.of(parse(fields));
    } catch (RuntimeException malformed) {
      throw new IOException(taskFolder.resolve(NAME) + ": " + malformed.getMessage(), malformed);
    }
  }

  /**
   * Writes a draft and renames it into place, so that a kill at any moment leaves the whole record
   * or none. Until {@link #sync} a power failure may still lose it.
   */
  public static void write(Path taskFolder, ExitRecord exit) throws IOException {
    Path draft = taskFolder.resolve(NAME + ".tmp");
    try (FileOutputStream file = new FileOutputStream(draft.toFile())) { // cheaper than a channel
      file.write(text(exit).getBytes(StandardCharsets.UTF_8));
    }
    Path record = taskFolder.resolve(NAME);
    if (!draft.toFile().renameTo(record.toFile())) { // does not tell why
      Files.move(
          draft, record, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Blocks until the file is on disk. */
  public static void sync(Path taskFolder) throws IOException {
    try (FileChannel file = FileChannel.open(taskFolder.resolve(NAME), StandardOpenOption.WRITE)) {
      file.force(true);
    }
  }

  private static String text(ExitRecord exit) {
    StringBuilder text = new StringBuilder(300);
    line(text, "version", VERSION);
    text.append("key=").append(exit.key()).append('\n');
    line(text, "pid", exit.pid());
    line(text, "startTicks", exit.startTicks());
    if (exit.status() instanceof ExitStatus.Code code) {
      line(text, "code", code.value());
    } else if (exit.status() instanceof ExitStatus.Signal signal) {
      line(text, "signal", signal.number());
      line(text, "core", signal.coreDumped() ? 1 : 0);
    }
    line(text, "wallMillis", exit.wallMillis());
    line(text, "userCpuMillis", exit.userCpuMillis());
    line(text, "systemCpuMillis", exit.systemCpuMillis());
    line(text, "peakRssBytes", exit.peakRssBytes());
    text.append("leaseExpired=").append(exit.contactLost()).append('\n');
    text.append("killed=").append(exit.killed()).append('\n');
    line(text, "leftovers", exit.leftovers());
    line(text, "end", 1);
    return text.toString();
  }

  private static void line(StringBuilder text, String name, long value) {
    text.append(name).append('=').append(value).append('\n');
  }

  private static Map<String, String> fields(String text) {
    Map<String, String> fields = new HashMap<>();
    for (String line : text.split("\n")) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        fields.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return fields;
  }

  private static ExitRecord parse(Map<String, String> fields) {
    ExitStatus status =
        fields.containsKey("code")
            ? new ExitStatus.Code((int) number(fields, "code"))
            : new ExitStatus.Signal((int) number(fields, "signal"), "1".equals(fields.get("core")));
    return new ExitRecord(
        text(fields, "key"),
        number(fields, "pid"),
        number(fields, "startTicks"),
        status,
        number(fields, "wallMillis"),
        number(fields, "userCpuMillis"),
        number(fields, "systemCpuMillis"),
        number(fields, "peakRssBytes"),
        Boolean.parseBoolean(text(fields, "leaseExpired")),
        Boolean.parseBoolean(text(fields, "killed")),
        (int) number(fields, "leftovers"));
  }

  private static String text(Map<String, String> fields, String name) {
    String value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException("lacks " + name);
    }
    return value;
  }

  private static long number(Map<String, String> fields, String name) {
    return Long.parseLong(text(fields, name));
  }
}
