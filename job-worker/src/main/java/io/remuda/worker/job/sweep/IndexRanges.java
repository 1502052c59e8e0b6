package io.remuda.worker.job.sweep;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Indices in the order given, such as {@code 3,7-20:2}: 3, 7, 9, 11, 13, 15, 17 and 19. In JSON
 * they are that text.
 */
public final class IndexRanges {

  /** Greatest index. */
  public static final int MOST_INDEX = 1_000_000_000;

  /** Greatest number of indices. */
  public static final int MOST = 1_000_000;

  private static final Pattern PART =
      Pattern.compile("(\\d{1,10})(?:-(\\d{1,10})(?::(\\d{1,10}))?)?");

  /** Indices with equal distances; {@code before} of the others come first. */
  private record Range(int from, int to, int step, int before) {
    int count() {
      return (to - from) / step + 1;
    }

    @Override
    public String toString() {
      return from == to ? "" + from : from + "-" + to + (step == 1 ? "" : ":" + step);
    }
  }

  private final List<Range> ranges;
  private final int size;

  private IndexRanges(List<Range> ranges) {
    this.ranges = List.copyOf(ranges);
    Range last = ranges.get(ranges.size() - 1);
    this.size = last.before() + last.count();
  }

  /**
   * Reads indices.
   *
   * @throws IllegalArgumentException if there are none, too many, or one twice
   */
  @JsonCreator
  public static IndexRanges parse(String text) {
    List<Range> ranges = new ArrayList<>();
    long count = 0;
    for (String part : text.split(",", -1)) {
      Matcher match = PART.matcher(part);
      if (!match.matches()) {
        throw new IllegalArgumentException(
            "indices are numbers and ranges, as 3,7-20:2, got '" + text + "'");
      }
      long from = Long.parseLong(match.group(1));
      long to = match.group(2) == null ? from : Long.parseLong(match.group(2));
      long step = match.group(3) == null ? 1 : Long.parseLong(match.group(3));
      if (to < from || step < 1) {
        throw new IllegalArgumentException(
            "'" + part + "' has no index: write FROM-TO or FROM-TO:STEP");
      }
      if (to > MOST_INDEX) {
        throw new IllegalArgumentException("an index is at most " + MOST_INDEX + ", got " + part);
      }
      step = Math.min(step, MOST_INDEX);
      long last = from + (to - from) / step * step;
      Range range = new Range((int) from, (int) last, (int) step, (int) count);
      count += (to - from) / step + 1;
      if (count > MOST) {
        throw new IllegalArgumentException(
            "at most " + MOST + " indices, got more in '" + shortened(text) + "'");
      }
      ranges.add(range);
    }
    IndexRanges all = new IndexRanges(ranges);
    all.refuseRepeated();
    return all;
  }

  private static String shortened(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "...";
  }

  private void refuseRepeated() {
    if (ranges.size() == 1) {
      return;
    }
    int[] sorted = new int[size];
    for (int position = 0, range = 0; range < ranges.size(); range++) {
      for (int index = 0; index < ranges.get(range).count(); index++) {
        sorted[position++] = ranges.get(range).from() + index * ranges.get(range).step();
      }
    }
    Arrays.sort(sorted);
    for (int position = 1; position < size; position++) {
      if (sorted[position] == sorted[position - 1]) {
        throw new IllegalArgumentException("index " + sorted[position] + " is given twice");
      }
    }
  }

  /** Returns ascending indices as ranges; there must be at least one. */
  public static IndexRanges of(int[] ascending) {
    List<Range> ranges = new ArrayList<>();
    for (int first = 0; first < ascending.length; ) {
      int end = first + 1;
      while (end < ascending.length && ascending[end] == ascending[end - 1] + 1) {
        end++;
      }
      ranges.add(new Range(ascending[first], ascending[end - 1], 1, first));
      first = end;
    }
    return new IndexRanges(ranges);
  }

  /** Returns the number of indices, at least 1. */
  public int size() {
    return size;
  }

  /** Returns the index at a position, from 0. */
  public int get(int position) {
    int low = 0;
    int high = ranges.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) / 2;
      if (ranges.get(middle).before() <= position) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    Range range = ranges.get(low);
    return range.from() + (position - range.before()) * range.step();
  }

  /** Returns the greatest index. */
  public int greatest() {
    return ranges.stream().mapToInt(Range::to).max().orElseThrow();
  }

  /** Returns whether they count from 0, so that each index is its position. */
  boolean isCount() {
    return ranges.size() == 1 && greatest() == size - 1;
  }

  /** Returns the number of ranges, which decides how much memory they take. */
  public int parts() {
    return ranges.size();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IndexRanges same && ranges.equals(same.ranges);
  }

  @Override
  public int hashCode() {
    return ranges.hashCode();
  }

  @JsonValue
  @Override
  public String toString() {
    return ranges.stream().map(Range::toString).collect(Collectors.joining(","));
  }
}
