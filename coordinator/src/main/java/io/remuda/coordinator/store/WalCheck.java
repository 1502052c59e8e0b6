package io.remuda.coordinator.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Looks through SQLite's write-ahead log before SQLite does, which takes the log to end at the
 * first frame that is not what was written, and says nothing. That is right for a write that was
 * never finished, and wrong for a frame that was damaged later.
 *
 * <p>A transaction is written only after the one before it was synced. So if two of them follow the
 * bad frame, or are cut short by it, the first of them was durable, and the log is damaged. If it
 * is only one, nobody can tell: it may not have been finished. That is left out, and said. The
 * header is one disk block and is synced before what follows it.
 *
 * <p>The format is described in <a
 * href="https://www.sqlite.org/fileformat2.html#walformat">SQLite's documentation</a>.
 */
final class WalCheck {

  private static final int HEADER = 32;
  private static final int FRAME_HEADER = 24;
  private static final int SUMMED_OF_HEADER = 24;
  private static final int SUMMED_OF_FRAME_HEADER = 8;
  private static final int MAGIC = 0x377f0682; // and the same with 1 for big-endian sums
  private static final int LEAST_PAGE = 512;
  private static final int MOST_PAGE = 65_536;

  private final ByteBuffer log;
  private final int pageSize;
  private final ByteOrder order;
  private int sum1;
  private int sum2;

  private WalCheck(ByteBuffer log) {
    this.log = log;
    this.order = (log.getInt(0) & 1) == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    this.pageSize = log.getInt(8);
  }

  /**
   * Checks a log, which need not be there.
   *
   * @return whether it ends with what was not finished, or with one transaction that is damaged
   * @throws StoreDamaged if more than one transaction is
   */
  static boolean isUnfinished(Path file) throws IOException, StoreDamaged {
    if (!Files.exists(file) || Files.size(file) <= HEADER) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.size() > Integer.MAX_VALUE) {
        return false; // SQLite checks what it reads
      }
      ByteBuffer log = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      return new WalCheck(log).isUnfinished();
    }
  }

  private boolean isUnfinished() throws StoreDamaged {
    if (!isHeaderGood()) {
      throw new StoreDamaged("the header of its log is not what was written");
    }
    int frames = (log.capacity() - HEADER) / (FRAME_HEADER + pageSize);
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
    boolean partOfOne = (log.capacity() - HEADER) % (FRAME_HEADER + pageSize) != 0;
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

  /** What is left over from before the log began anew has other salts, both of them. */
  private boolean isOfThisLog(int frame, int frames) {
    return frame < frames
        && (log.getInt(at(frame) + 8) == log.getInt(16)
            || log.getInt(at(frame) + 12) == log.getInt(20));
  }

  /** Whether its sum goes on from that of the frame before it; takes it as the new one. */
  private boolean follows(int frame) {
    add(at(frame), SUMMED_OF_FRAME_HEADER);
    add(at(frame) + FRAME_HEADER, pageSize);
    return sum1 == log.getInt(at(frame) + 16) && sum2 == log.getInt(at(frame) + 20);
  }

  private boolean isCommit(int frame) {
    return log.getInt(at(frame) + 4) != 0;
  }

  /** Counts commits in the frames behind the bad one that go on from each other. */
  private void requireOneAtMost(int bad, int frames) throws StoreDamaged {
    int commits = 0;
    int next = bad + 1;
    if (next < frames && followsStored(next)) {
      commits = isCommit(bad) ? 1 : 0;
    } else {
      next++; // the sum of the bad one may be what is bad in it
    }
    while (isOfThisLog(next, frames) && followsStored(next)) {
      commits += isCommit(next) ? 1 : 0;
      next++;
    }
    if (commits > 1) {
      throw new StoreDamaged("its log is not what was written (frame " + (bad + 1) + ")");
    }
  }

  private boolean followsStored(int frame) {
    sum1 = log.getInt(at(frame - 1) + 16);
    sum2 = log.getInt(at(frame - 1) + 20);
    return follows(frame);
  }
}
