package io.remuda.agent.keeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32C;

/**
 * The exit records of a keeper's tasks: lines that are appended to files in the folder {@value
 * #FOLDER} of the node's folder, so that a short task costs one write instead of a file of its own.
 * A line is written before its end is told, and stays until the agent has the task forgotten: a
 * file is removed when none of its lines is needed any more. The next keeper goes on with the files
 * of earlier ones.
 *
 * <p>A line: the CRC-32C of what follows as 8 hexadecimal digits, the task's folder, relative to
 * the node's if it is in there, and the lines of an {@link ExitFile}; tabs between them. A line
 * that was cut, such as by a full disk, is none; the next one replaces it.
 *
 * <p>What does not fit in is an {@link ExitFile} in the task's folder, as keepers of earlier builds
 * write: tasks beyond {@value #MOST} that the agent does not have forgotten, and paths with line
 * breaks.
 */
public final class ExitLog implements AutoCloseable {

  static final String FOLDER = "exits";

  /** Above this size in bytes the next line begins another file. */
  static final long LONG = 64 << 10;

  /** Records that are kept in memory at most. */
  static final int MOST = 10_000;

  private static final char BETWEEN = '\t';
  private static final int SUM_DIGITS = 8;

  /** One file. Guarded by its log. */
  private static final class Part {
    private final Path file;

    /** Null for a file of an earlier keeper. */
    private final FileChannel channel;

    private long length;
    private int needed;
    private boolean unsynced;

    Part(Path file, FileChannel channel) {
      this.file = file;
      this.channel = channel;
    }

    void append(byte[] line) throws IOException {
      ByteBuffer bytes = ByteBuffer.wrap(line);
      long at = length;
      while (bytes.hasRemaining()) {
        at += channel.write(bytes, at);
      }
      length = at; // a partial write is overwritten
      unsynced = true;
    }
  }

  private record Entry(Part part, ExitRecord exit) {}

  /** A line that was read. */
  private record Line(String folder, ExitRecord exit) {}

  private final Path node;
  private final long number;

  /** What was not forgotten; read without a lock, since a write may wait for the disk. */
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();

  private final List<Part> unsynced = new ArrayList<>();
  private final Queue<String> forgotten = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean toForget = new AtomicBoolean();
  private Part last;
  private long parts;

  private ExitLog(Path node, long number) {
    this.node = node;
    this.number = number;
  }

  /**
   * Opens the log of a keeper, with those records of earlier keepers whose task has its folder yet.
   *
   * @param number of the keeper, by which the names of its files differ from those of others
   */
  public static ExitLog open(Path node, long number) throws IOException {
    ExitLog log = new ExitLog(node, number);
    for (Path file : files(node)) {
      log.adopt(file);
    }
    return log;
  }

  private synchronized void adopt(Path file) throws IOException {
    Part part = new Part(file, null);
    for (Line line : lines(file)) {
      if (!Files.isDirectory(node.resolve(line.folder()))) {
        continue; // its end is known
      }
      if (entries.size() < MOST) {
        put(part, line.exit());
      } else {
        part.needed++; // it is not known when it is forgotten: the file stays
      }
    }
    removeUnneeded(part);
  }

  private void put(Part part, ExitRecord exit) {
    part.needed++;
    Entry before = entries.put(exit.key(), new Entry(part, exit));
    if (before != null) {
      before.part().needed--;
    }
  }

  /** Returns the records of all keepers of a node, by key; waits for the disk. */
  public static Map<String, ExitRecord> read(Path node) throws IOException {
    Map<String, ExitRecord> all = new HashMap<>();
    for (Path file : files(node)) {
      lines(file).forEach(line -> all.put(line.exit().key(), line.exit()));
    }
    return all;
  }

  /**
   * Writes how a task has ended; waits for the disk. A kill at any moment leaves the whole record
   * or none. Until {@link #sync} a power failure may still lose it.
   */
  public synchronized void write(Path taskFolder, ExitRecord exit) throws IOException {
    removeForgotten();
    String folder =
        (taskFolder.startsWith(node) ? node.relativize(taskFolder) : taskFolder).toString();
    if (entries.size() >= MOST || !isPlain(folder) || !isPlain(exit.key())) {
      ExitFile.write(taskFolder, exit);
      return;
    }
    Part part = part();
    part.append(line(folder, exit));
    if (!unsynced.contains(part)) {
      unsynced.add(part);
    }
    put(part, exit);
  }

  private static boolean isPlain(String text) {
    return !text.isEmpty() && text.chars().noneMatch(c -> c < ' ');
  }

  private Part part() throws IOException {
    if (last != null && last.length <= LONG) {
      return last;
    }
    Part full = last;
    Path folder = Files.createDirectories(node.resolve(FOLDER));
    while (true) {
      Path file = folder.resolve(number + "." + parts++);
      if (!file.toFile().exists()) {
        last =
            new Part(
                file,
                FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW));
        break;
      }
    }
    if (full != null) {
      removeUnneeded(full);
    }
    return last;
  }

  /** Returns the record of a task that was not forgotten. Any thread; never waits for the disk. */
  public Optional<ExitRecord> find(String key) {
    return Optional.ofNullable(entries.get(key)).map(Entry::exit);
  }

  /** Notes that records are not needed any more. Any thread; never waits for the disk. */
  public void forget(Collection<String> keys) {
    forgotten.addAll(keys);
    toForget.set(true);
  }

  /** Returns whether {@link #removeForgotten} has something to do. Any thread. */
  public boolean hasForgotten() {
    return toForget.get();
  }

  /** Removes files that are not needed any more; waits for the disk. */
  public synchronized void removeForgotten() throws IOException {
    if (!toForget.getAndSet(false)) {
      return;
    }
    for (String key = forgotten.poll(); key != null; key = forgotten.poll()) {
      Entry entry = entries.remove(key);
      if (entry != null) {
        entry.part().needed--;
        removeUnneeded(entry.part());
      }
    }
  }

  private void removeUnneeded(Part part) throws IOException {
    if (part.needed == 0 && part != last) {
      unsynced.remove(part);
      close(part);
      Files.deleteIfExists(part.file);
    }
  }

  private static void close(Part part) throws IOException {
    if (part.channel != null) {
      part.channel.close();
    }
  }

  /** Blocks until all that was written is on the disk, or not needed any more. */
  public void sync() throws IOException {
    List<Part> written;
    synchronized (this) {
      written = List.copyOf(unsynced);
      unsynced.clear();
    }
    for (Part part : written) {
      try {
        part.channel.force(false);
      } catch (ClosedChannelException removed) {
        continue; // meanwhile
      }
    }
    synchronized (this) {
      for (Part part : written) {
        if (part != last && !unsynced.contains(part)) {
          close(part);
        }
      }
    }
  }

  /** Syncs and closes; what was not forgotten stays for the agent and the next keeper. */
  @Override
  public void close() throws IOException {
    removeForgotten();
    sync();
    synchronized (this) {
      Part end = last;
      last = null;
      if (end != null) {
        close(end);
        removeUnneeded(end);
      }
    }
  }

  private static byte[] line(String folder, ExitRecord exit) {
    String text = folder + BETWEEN + ExitFile.text(exit).replace('\n', BETWEEN).stripTrailing();
    return (sum(text) + BETWEEN + text + '\n').getBytes(StandardCharsets.UTF_8);
  }

  private static String sum(String text) {
    CRC32C sum = new CRC32C();
    sum.update(text.getBytes(StandardCharsets.UTF_8));
    String digits = Long.toHexString(sum.getValue());
    return "0".repeat(SUM_DIGITS - digits.length()) + digits;
  }

  private static List<Path> files(Path node) {
    String[] names = node.resolve(FOLDER).toFile().list();
    List<Path> files = new ArrayList<>();
    for (String name : names == null ? new String[0] : names) {
      files.add(node.resolve(FOLDER).resolve(name));
    }
    files.sort(null);
    return files;
  }

  /** Returns the lines of a file that are whole; none if it was removed meanwhile. */
  private static List<Line> lines(Path file) throws IOException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException removed) {
      return List.of();
    }
    List<Line> lines = new ArrayList<>();
    for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
      read(line).ifPresent(lines::add);
    }
    return lines;
  }

  private static Optional<Line> read(String line) {
    int folder = SUM_DIGITS + 1;
    int record = line.indexOf(BETWEEN, folder) + 1;
    if (record == 0 || !sum(line.substring(folder)).equals(line.substring(0, SUM_DIGITS))) {
      return Optional.empty();
    }
    try {
      return ExitFile.parse(line.substring(record).replace(BETWEEN, '\n'))
          .map(exit -> new Line(line.substring(folder, record - 1), exit));
    } catch (IOException newer) {
      return Optional.empty(); // of a later build
    }
  }
}
