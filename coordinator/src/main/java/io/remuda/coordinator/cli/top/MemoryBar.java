package io.remuda.coordinator.cli.top;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The memory of a GPU as pieces of a bar: each job's letter for memory that it uses, then memory
 * that other processes use, then the jobs' letters in lower case for reserved memory that they do
 * not use, then free memory. Every piece has at least one column if there are enough columns.
 */
final class MemoryBar {

  static final char OTHERS = '#';

  /** Used memory whose processes are not known. */
  static final char UNKNOWN = '?';

  static final char FREE = '.';

  /**
   * Adjacent columns of the bar that have one sign.
   *
   * @param job the job that has the memory, or 0
   * @param used whether the memory is in use
   */
  record Piece(char sign, int columns, long job, boolean used) {
    private Piece of(int other) {
      return new Piece(sign, other, job, used);
    }
  }

  /** Bytes that a job uses, and reserved bytes that it does not use. */
  private static final class Share {
    private long used;
    private long unused;
  }

  private final long total;
  private final int columns;
  private final List<Piece> pieces = new ArrayList<>();
  private long free;

  private MemoryBar(long total, int columns) {
    this.total = total;
    this.columns = columns;
    this.free = total;
  }

  /**
   * Returns the pieces of a bar.
   *
   * @param gpu must have a {@code total} above 0
   */
  static List<Piece> of(TopScreenData.Gpu gpu, JobLetters letters, int columns) {
    long known = gpu.parts().stream().mapToLong(MemoryBar::used).sum();
    long used = gpu.used() == null ? known : Math.max(known, gpu.used());
    Map<Long, Share> shares = shares(gpu, used);
    MemoryBar bar = new MemoryBar(gpu.total(), columns);
    shares.forEach((job, share) -> bar.add(letters.letter(job), share.used, job, true));
    boolean told = gpu.others() != null;
    bar.add(told ? OTHERS : UNKNOWN, told ? gpu.others() : used - known, 0, true);
    shares.forEach(
        (job, share) ->
            bar.add(Character.toLowerCase(letters.letter(job)), share.unused, job, false));
    bar.add(FREE, Math.max(0, bar.free), 0, false);
    bar.fit();
    return bar.pieces;
  }

  private static long used(TopScreenData.JobShare part) {
    return part.used() == null ? 0 : part.used();
  }

  private static Map<Long, Share> shares(TopScreenData.Gpu gpu, long used) {
    Map<Long, Share> shares = new LinkedHashMap<>();
    for (TopScreenData.JobShare part : gpu.parts()) {
      Share share = shares.computeIfAbsent(part.job(), job -> new Share());
      share.used += used(part);
      // of a whole GPU, memory that others use is not reserved for the job
      long unused = part.whole() ? gpu.total() - used : part.reserved() - used(part);
      share.unused += Math.max(0, unused);
    }
    return shares;
  }

  private void add(char sign, long bytes, long job, boolean used) {
    free -= bytes;
    if (bytes > 0) {
      long exact = Math.round((double) bytes / total * columns);
      pieces.add(new Piece(sign, (int) Math.max(1, Math.min(columns, exact)), job, used));
    }
  }

  /** Corrects the number of columns, which rounding or an overcommitted GPU has changed. */
  private void fit() {
    int sum = pieces.stream().mapToInt(Piece::columns).sum();
    while (sum != columns && !pieces.isEmpty()) {
      int widest = 0;
      for (int i = 1; i < pieces.size(); i++) {
        widest = pieces.get(i).columns() > pieces.get(widest).columns() ? i : widest;
      }
      Piece piece = pieces.get(widest);
      int change = sum > columns ? -1 : 1;
      if (piece.columns() + change == 0) {
        pieces.remove(pieces.size() - 1); // more pieces than columns
      } else {
        pieces.set(widest, piece.of(piece.columns() + change));
      }
      sum += change;
    }
  }
}
