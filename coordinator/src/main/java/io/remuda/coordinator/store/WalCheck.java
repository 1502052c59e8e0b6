package io.remuda.coordinator.store;

import io.remuda.coordinator.store.row.StoreDamagedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Checks SQLite's write-ahead log before SQLite opens it. SQLite silently ignores everything from
 * the first bad frame on. That is right for an unfinished write, but wrong for a frame that was
 * damaged later.
 *
 * <p>A transaction is written only after the previous one was synced. So if the bad frame and those
 * after it belong to two transactions or more, the first of these was durable, and the log is
 * damaged. If they belong to one, it may just be unfinished: it is left out with a warning. The
 * header is one disk block and is synced before the frames.
 *
 * <p>The format is described in <a
 * href="https://www.sqlite.org/fileformat2.html#walformat">SQLite's documentation</a>.
 */
final class WalCheck {

  private static final int HEADER = 32;
  private static final int FRAME_HEADER = 24;
  private static final int SUMMED_OF_HEADER = 24;
  private static final int SUMMED_OF_FRAME_HEADER = 8;
  private static final int MAGIC = 0x377f0682; // the lowest bit is set for big-endian checksums
  private static final int LEAST_PAGE = 512;
  private static final int MOST_PAGE = 65_536;

  private final ByteBuffer log;
  private final int pageSize;
  private final ByteOrder order;
  private int sum1;
  private int sum2;

  private static final int MOST_READ = 64 << 20;

  private WalCheck(ByteBuffer log) {
    this.log = log;
    this.order = (log.getInt(0) & 1) == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    this.pageSize = log.getInt(8);
  }

  /**
   * Checks a log, which need not exist.
   *
   * @return whether its last transaction is unfinished or damaged
   * @throws StoreDamagedException if more than one transaction is damaged
   */
  static boolean isUnfinished(Path file) throws IOException, StoreDamagedException {
    if (!Files.exists(file) || Files.size(file) <= HEADER) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.size() > Integer.MAX_VALUE) {
        return false; // too large to map; SQLite still checks the frames
      }
      return new WalCheck(bytes(channel)).isUnfinished();
    }
  }

  /**
   * Returns the log's bytes. What is mapped keeps the file, and its disk, in use until the garbage
   * collector finds it, which a program that embeds a server would notice: only what is too large
   * to be read is.
   */
  private static ByteBuffer bytes(FileChannel channel) throws IOException {
    if (channel.size() > MOST_READ) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
    }
    ByteBuffer log = ByteBuffer.allocate((int) channel.size());
    while (log.hasRemaining() && channel.read(log, log.position()) >= 0) {
      // until all is there
    }
    return log.limit(log.position()).rewind();
  }

  private boolean isUnfinished() throws StoreDamagedException {
    if (!isHeaderGood()) {
      throw new StoreDamagedException("the header of its log is not what was written");
    }
    int frames = (log.limit() - HEADER) / (FRAME_HEADER + pageSize);
    int lastCommit = -1;
    int frame = 0;
    while (frame < frames && hasBothSalts(frame) && follows(frame)) {
      lastCommit = isCommit(frame) ? frame : lastCommit;
      frame++;
    }
    if (isOfThisLog(frame, frames) || isOfThisLog(frame + 1, frames)) {
      requireOneAtMost(frame, frames);
      return true;
    }
    boolean partOfOne = (log.limit() - HEADER) % (FRAME_HEADER + pageSize) != 0;
    return lastCommit < frame - 1 || (frame == frames && partOfOne);
  }

  private boolean isHeaderGood() {
    boolean good =
        (log.getInt(0) & ~1) == MAGIC
            && pageSize >= LEAST_PAGE
            && pageSize <= MOST_PAGE
            && Integer.bitCount(pageSize) == 1;
    if (good) {
      add(0, SUMMED_OF_HEADER);
    }
    return good && sum1 == log.getInt(24) && sum2 == log.getInt(28);
  }

  private void add(int from, int length) {
    ByteBuffer words = log.duplicate().order(order);
    for (int at = from; at < from + length; at += 8) {
      sum1 += words.getInt(at) + sum2;
      sum2 += words.getInt(at + 4) + sum1;
    }
  }

  private int at(int frame) {
    return HEADER + frame * (FRAME_HEADER + pageSize);
  }

  private boolean hasBothSalts(int frame) {
    return log.getInt(at(frame) + 8) == log.getInt(16)
        && log.getInt(at(frame) + 12) == log.getInt(20);
  }

  /** Returns whether a frame is newer than the last restart of the log, by either of its salts. */
  private boolean isOfThisLog(int frame, int frames) {
    return frame < frames
        && (log.getInt(at(frame) + 8) == log.getInt(16)
            || log.getInt(at(frame) + 12) == log.getInt(20));
  }

  /** Adds a frame to the running checksum and returns whether the frame's checksum matches it. */
  private boolean follows(int frame) {
    add(at(frame), SUMMED_OF_FRAME_HEADER);
    add(at(frame) + FRAME_HEADER, pageSize);
    return sum1 == log.getInt(at(frame) + 16) && sum2 == log.getInt(at(frame) + 20);
  }

  private boolean isCommit(int frame) {
    return log.getInt(at(frame) + 4) != 0;
  }

  /** Throws if the bad frame and the valid frames after it contain more than one commit. */
  private void requireOneAtMost(int bad, int frames) throws StoreDamagedException {
    int commits = 0;
    int next = bad + 1;
    if (next < frames && followsStored(next)) {
      commits = isCommit(bad) ? 1 : 0;
    } else {
      next++; // the stored checksum of the bad frame may be wrong
    }
    while (isOfThisLog(next, frames) && followsStored(next)) {
      commits += isCommit(next) ? 1 : 0;
      next++;
    }
    if (commits > 1) {
      throw new StoreDamagedException("its log is not what was written (frame " + (bad + 1) + ")");
    }
  }

  private boolean followsStored(int frame) {
    sum1 = log.getInt(at(frame - 1) + 16);
    sum2 = log.getInt(at(frame - 1) + 20);
    return follows(frame);
  }
}
