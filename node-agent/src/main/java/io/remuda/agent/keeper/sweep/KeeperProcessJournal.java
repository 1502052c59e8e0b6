package io.remuda.agent.keeper.sweep;

import io.remuda.agent.keeper.proc.KeeperLog;
import io.remuda.agent.keeper.proc.PidScope;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.RlimitProcessMark;
import io.remuda.agent.keeper.proc.SpawnedProcess;
import io.remuda.file.AtomicFile;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A file in the node's folder that lists what a keeper has started. It outlives the keeper: the
 * next keeper finds in it what the tasks have left. A task is written before its process exists,
 * its leader before the start is reported. Nothing is synced: a power failure ends the processes
 * too.
 *
 * <p>Lines: {@code keeper VERSION SPACE PID STARTTICKS}, then {@code s SERIAL KEY} and {@code p
 * SERIAL PID STARTTICKS}; the leader's pid is the number of its session and of its group. Any
 * thread; writers wait for the disk, readers do not.
 */
public final class KeeperProcessJournal {
  public static final String FOLDER = "keepers";
  static final String VERSION = "1";

  /** Above this size in bytes it is rewritten with live tasks only. */
  private static final long LONG = 256 << 10;

  private final Path file;
  private final long number;
  private final String head;
  private final Map<Long, String> keys = new ConcurrentHashMap<>();
  private final Map<String, String> lines = Collections.synchronizedMap(new LinkedHashMap<>());
  private FileChannel channel;
  private long length;
  private long lastSerial;

  private KeeperProcessJournal(Path file, long number, String head) throws IOException {
    this.file = file;
    this.number = number;
    this.head = head;
    this.channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    append(head);
  }

  /** Creates the record of a keeper, which is this process. */
  public static KeeperProcessJournal begin(Path nodeFolder, ProcStat self) throws IOException {
    Path folder = Files.createDirectories(nodeFolder.resolve(FOLDER));
    long number =
        Math.floorMod(self.pid() * 1_000_003L + self.startTicks(), RlimitProcessMark.NUMBERS - 1);
    while (new File(folder.toFile(), Long.toString(number + 1)).exists()) {
      number = (number + 1) % (RlimitProcessMark.NUMBERS - 1);
    }
    String space = PidScope.here();
    String head =
        String.join(
            " ",
            "keeper",
            VERSION,
            space.isEmpty() ? "?" : space,
            Integer.toString(self.pid()),
            Long.toString(self.startTicks()));
    return new KeeperProcessJournal(
        folder.resolve(Long.toString(number + 1)), number + 1, head + "\n");
  }

  /** Returns the keeper's number, by which the marks of its tasks differ from other keepers'. */
  public long number() {
    return number;
  }

  /** Records that a task is about to start and returns its serial number. */
  public synchronized long begins(String key) throws IOException {
    long serial = lastSerial % (RlimitProcessMark.NUMBERS - 1) + 1;
    String line = "s " + serial + " " + key + "\n";
    if (length > LONG) {
      shorten();
    }
    keys.put(serial, key);
    lines.put(key, line);
    lastSerial = serial;
    append(line);
    return serial;
  }

  /** Records the first process of a task. */
  public synchronized void began(long serial, SpawnedProcess leader) throws IOException {
    String line = "p " + serial + " " + leader.pid() + " " + leader.startTicks() + "\n";
    String key = keys.get(serial);
    if (key != null) { // null: it has ended already
      lines.computeIfPresent(key, (same, first) -> first + line);
    }
    append(line);
  }

  /** Removes a task of which nothing is left. */
  public void ended(String key) {
    String line = lines.remove(key);
    if (line != null) {
      keys.remove(Long.parseLong(line.substring(2, line.indexOf(' ', 2))));
    }
  }

  /** Returns the key of a task that has not ended; else null. */
  public String key(long serial) {
    return keys.get(serial);
  }

  private void append(String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    long at = length;
    while (bytes.hasRemaining()) {
      at += channel.write(bytes, at);
    }
    length = at; // a partial write is overwritten
  }

  private void shorten() throws IOException {
    StringBuilder live = new StringBuilder(head);
    synchronized (lines) {
      lines.values().forEach(live::append);
    }
    if (live.length() > LONG / 2) {
      return; // too many live tasks
    }
    Path draft = file.resolveSibling(file.getFileName() + ".tmp");
    byte[] bytes = live.toString().getBytes(StandardCharsets.UTF_8);
    Files.write(draft, bytes);
    AtomicFile.replace(draft, file);
    channel.close();
    channel = FileChannel.open(file, StandardOpenOption.WRITE);
    length = bytes.length;
  }

  /** Deletes the file; the keeper ends and has left nothing. */
  public synchronized void remove() {
    try {
      channel.close();
      Files.deleteIfExists(file);
    } catch (IOException stays) {
      KeeperLog.line("keeper: " + file + " stays: " + stays); // harmless: its content is still true
    }
  }
}
