package io.remuda.coordinator.schedule.model;

import java.util.Comparator;

/** Orders node names naturally: {@code n2} before {@code n10}. */
public final class NodeNameOrder {

  /** Compares runs of digits as numbers and the rest by character; ties compare as plain text. */
  public static final Comparator<String> ORDER =
      ((Comparator<String>) NodeNameOrder::compareNaturally)
          .thenComparing(Comparator.naturalOrder());

  private NodeNameOrder() {}

  private static int compareNaturally(String left, String right) {
    int i = 0;
    int j = 0;
    while (i < left.length() && j < right.length()) {
      int endLeft = digitsEnd(left, i);
      int endRight = digitsEnd(right, j);
      int order;
      if (endLeft > i && endRight > j) {
        order = compareDigits(left.substring(i, endLeft), right.substring(j, endRight));
        i = endLeft;
        j = endRight;
      } else {
        order = Character.compare(left.charAt(i++), right.charAt(j++));
      }
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(left.length() - i, right.length() - j);
  }

  private static int digitsEnd(String text, int from) {
    int end = from;
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      end++;
    }
    return end;
  }

  /**
   * Compares numbers of any length without allocating objects: a cycle with a thousand nodes makes
   * thousands of comparisons.
   */
  private static int compareDigits(String left, String right) {
    int i = zerosEnd(left);
    int j = zerosEnd(right);
    int byLength = Integer.compare(left.length() - i, right.length() - j);
    if (byLength != 0) {
      return byLength;
    }
    while (i < left.length() && left.charAt(i) == right.charAt(j)) {
      i++;
      j++;
    }
    return i == left.length() ? 0 : Character.compare(left.charAt(i), right.charAt(j));
  }

  /** Returns the end of the leading zeros, which do not include the last digit. */
  private static int zerosEnd(String digits) {
    int end = 0;
    while (end < digits.length() - 1 && digits.charAt(end) == '0') {
      end++;
    }
    return end;
  }
}
