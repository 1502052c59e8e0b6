package io.remuda.coordinator.spans;

import io.remuda.file.AtomicFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of spans, a line of text each: some that are appended to and removed as a whole, oldest
 * first, and one that has those that are not over, written anew each time. Nothing is synced. Not
 * thread-safe.
 */
public final class SpanFiles {

  private static final Pattern NAME = Pattern.compile("(\\d{1,18})\\.spans");
  private static final String OPEN = "open";
  private static final int MOST_FILES = 4;
  private static final long KEPT_SECONDS = 14 * 86_400L;

  private final Path folder;
  private final long fileBytes;
  private final SortedMap<Long, Path> files = new TreeMap<>();

  /**
   * @param fileBytes after which another file begins
   */
  public SpanFiles(Path folder, long fileBytes) throws IOException {
    this.folder = folder;
    this.fileBytes = fileBytes;
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    try (Stream<Path> all = Files.list(folder)) {
      for (Path file : all.toList()) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (name.matches()) {
          files.put(Long.parseLong(name.group(1)), file);
        }
      }
    }
  }

  /** Returns from when on there may be spans, in seconds since 1970. */
  public Optional<Long> since() {
    return files.isEmpty() ? Optional.empty() : Optional.of(files.firstKey());
  }

  /** Returns the spans that were not over when the last server wrote them. */
  public List<String> open() throws IOException {
    Path file = folder.resolve(OPEN);
    List<String> spans = new ArrayList<>();
    if (Files.exists(file)) {
      lines(file, "", spans::add);
    }
    return spans;
  }

  /** Writes the spans that are not over. */
  public void writeOpen(List<String> spans) throws IOException {
    AtomicFile.write(folder.resolve(OPEN), text(spans).getBytes(StandardCharsets.UTF_8));
  }

  /** Begins the first file, so that it is known from when on there are spans. */
  public void begin(long second) throws IOException {
    if (files.isEmpty()) {
      append(List.of(), second);
    }
  }

  /**
   * Writes spans that are over.
   *
   * @param second since 1970
   */
  public void append(List<String> spans, long second) throws IOException {
    Path last = files.isEmpty() ? null : files.get(files.lastKey());
    boolean full = last != null && Files.size(last) >= fileBytes;
    if (last == null || full && second > files.lastKey()) {
      last = folder.resolve(second + ".spans");
      files.put(second, last);
    }
    String half = isTorn(last) ? "\n" : "";
    Files.writeString(
        last, half + text(spans), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    removeOld(second);
  }

  /** Returns whether the last line has no end, as after a kill or on a full disk. */
  private static boolean isTorn(Path file) throws IOException {
    if (!Files.exists(file)) {
      return false;
    }
    try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer end = ByteBuffer.allocate(1);
      return from.size() > 0 && from.read(end, from.size() - 1) == 1 && end.get(0) != '\n';
    }
  }

  private void removeOld(long second) throws IOException {
    while (files.size() > MOST_FILES || files.size() > 1 && secondKey() < second - KEPT_SECONDS) {
      Files.deleteIfExists(files.remove(files.firstKey()));
    }
  }

  /** Returns when the second file began, before which the first one ended. */
  private long secondKey() {
    return files.keySet().stream().skip(1).findFirst().orElseThrow();
  }

  private static String text(List<String> spans) {
    return spans.stream().map(span -> span + "\n").collect(Collectors.joining());
  }

  /**
   * Returns the files of spans in order.
   *
   * @param from those whose spans were all over before this second are left out
   */
  public List<Path> files(long from) {
    List<Long> begins = List.copyOf(files.keySet());
    List<Path> found = new ArrayList<>();
    for (int at = 0; at < begins.size(); at++) {
      if (at == begins.size() - 1 || begins.get(at + 1) >= from) {
        found.add(files.get(begins.get(at)));
      }
    }
    return found;
  }

  /**
   * Passes on the spans of files in the order in which they were over. Any thread; a file that was
   * removed meanwhile is left out.
   *
   * @param beginning of their lines
   */
  public static void read(List<Path> files, String beginning, Consumer<String> into)
      throws IOException {
    for (Path file : files) {
      try {
        lines(file, beginning, into);
      } catch (NoSuchFileException removed) {
        continue; // it was the oldest
      }
    }
  }

  private static void lines(Path file, String beginning, Consumer<String> into) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(beginning)) {
          into.accept(
              new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
        }
      }
    }
  }
}
