package io.remuda.coordinator.cli.script;

import io.remuda.worker.job.sweep.IndexRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lists of indices and of nodes as Slurm writes them, with brackets. */
final class SlurmLists {

  private static final Pattern RANGE =
      Pattern.compile("(\\d{1,9})(?:-(\\d{1,9})(?::(\\d{1,9}))?)?");
  private static final Pattern NODES = Pattern.compile("([^\\[\\]]*)\\[([\\d,-]+)]([^\\[\\]]*)");
  private static final Pattern BETWEEN = Pattern.compile(",(?![^\\[]*])");
  private static final int MOST_NODES = 1000;

  private SlurmLists() {}

  /**
   * Returns the indices of an array without brackets, each once and in ascending order. A text that
   * is none stays as it is, and whoever reads it says what is wrong.
   */
  static String indices(String text) {
    String plain = text.replaceAll("[\\[\\]]", "");
    TreeSet<Integer> all = new TreeSet<>();
    boolean ascending = true;
    for (String part : plain.split(",", -1)) {
      Matcher range = RANGE.matcher(part);
      if (!range.matches()) {
        return plain;
      }
      int from = Integer.parseInt(range.group(1));
      int to = range.group(2) == null ? from : Integer.parseInt(range.group(2));
      int step = range.group(3) == null ? 1 : Integer.parseInt(range.group(3));
      if (step == 0 || to < from || (to - from) / step + all.size() >= IndexRanges.MOST) {
        return plain;
      }
      ascending &= all.isEmpty() || all.last() < from;
      for (long index = from; index <= to; index += step) {
        all.add((int) index);
      }
    }
    return ascending
        ? plain
        : IndexRanges.of(all.stream().mapToInt(Integer::intValue).toArray()).toString();
  }

  /**
   * Returns the names of nodes, as {@code gpu[1-2,07]} has three.
   *
   * @throws IllegalArgumentException if it is no list, or one of too many nodes
   */
  static List<String> nodes(String text) {
    List<String> all = new ArrayList<>();
    for (String part : BETWEEN.split(text)) {
      Matcher list = NODES.matcher(part);
      if (part.indexOf('[') < 0) {
        all.add(part);
      } else if (list.matches()) {
        for (String range : list.group(2).split(",")) {
          String[] ends = range.split("-", 2);
          expand(list.group(1), ends[0], ends[ends.length - 1], list.group(3), all);
        }
      } else {
        throw new IllegalArgumentException("'" + part + "' is not a list of nodes, as gpu[1-2,07]");
      }
    }
    return all;
  }

  private static void expand(
      String before, String first, String last, String after, List<String> all) {
    if (!first.matches("\\d{1,9}") || !last.matches("\\d{1,9}")) {
      throw new IllegalArgumentException("'" + first + "-" + last + "' is not a range of nodes");
    }
    for (int i = Integer.parseInt(first); i <= Integer.parseInt(last); i++) {
      if (all.size() >= MOST_NODES) {
        throw new IllegalArgumentException("more than " + MOST_NODES + " nodes are named");
      }
      all.add(before + ("%0" + first.length() + "d").formatted(i) + after);
    }
  }
}
