package io.remuda.coordinator.store;

import io.remuda.agent.settings.PrivateFileWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The file {@code state.db-mark}: which state file is here, and how many of its commits were
 * acknowledged. By it a start detects a lost or truncated log and an older copy of the file.
 *
 * <p>It is written after each commit, before the commit is acknowledged, and is not synced. Its
 * commits are already durable, so after a power cut its count may be too low, but never too high.
 * It is locked while it is open, in addition to {@code serve.lock}.
 */
final class StateCommitCountFile implements Closeable {

  /** Its name in the state folder. */
  static final String FILE = StoreOpener.FILE + "-mark";

  /** Shorter than a disk block, which is written completely or not at all. */
  private static final Pattern LINE =
      Pattern.compile("(remuda state (\\p{XDigit}{8}), commits (\\d{19}), sum )(\\p{XDigit}{8})\n");

  private static final int MOST_BYTES = 200;

  private final Path path;
  private final FileChannel channel;

  /**
   * The content of a mark.
   *
   * @param birth of the state file
   * @param commits a lower bound of its acknowledged commits
   */
  record MarkContent(long birth, long commits) {}

  private StateCommitCountFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Opens and locks the mark of a folder; creates an empty one if there is none.
   *
   * @throws StateInUseException if a server has locked it
   */
  static StateCommitCountFile take(Path folder) throws IOException {
    Path path = folder.resolve(FILE);
    FileChannel channel =
        FileChannel.open(
            path,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      if (channel.tryLock() != null) {
        return new StateCommitCountFile(path, channel);
      }
    } catch (OverlappingFileLockException ours) {
      // this process has locked it
    } catch (IOException fault) {
      channel.close();
      throw fault;
    }
    channel.close();
    throw new StateInUseException("another server uses " + path.resolveSibling(StoreOpener.FILE));
  }

  Path path() {
    return path;
  }

  /** Returns whether it was never written. */
  boolean isEmpty() throws IOException {
    return channel.size() == 0;
  }

  /** Returns its content; nothing if it is empty or damaged. */
  Optional<MarkContent> read() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
    while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) > 0) {
      // read to the end
    }
    return parse(new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII));
  }

  private static Optional<MarkContent> parse(String text) {
    Matcher line = LINE.matcher(text);
    if (!line.matches() || !sum(line.group(1)).equals(line.group(4))) {
      return Optional.empty();
    }
    return Optional.of(
        new MarkContent(Long.parseLong(line.group(2), 16), Long.parseLong(line.group(3))));
  }

  /** Replaces its content. It outlives the process, but a power cut may undo it. */
  void write(MarkContent said) throws IOException {
    channel.write(ByteBuffer.wrap(text(said).getBytes(StandardCharsets.US_ASCII)), 0);
  }

  /** Makes its content durable. */
  void sync() throws IOException {
    channel.force(true);
  }

  private static String text(MarkContent said) {
    String digits = Long.toString(said.commits());
    String head =
        "remuda state "
            + io.remuda.worker.job.AttemptId.birth(said.birth())
            + ", commits "
            + "0".repeat(19 - digits.length())
            + digits
            + ", sum ";
    return head + sum(head) + "\n";
  }

  private static String sum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.US_ASCII));
    return java.util.HexFormat.of().toHexDigits((int) crc.getValue());
  }

  /** Writes the mark of a folder atomically. */
  static void put(Path folder, MarkContent said) throws IOException {
    PrivateFileWriter.write(folder.resolve(FILE), text(said).getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
