package io.remuda.coordinator.jobfield;

import java.util.List;

/**
 * What documents say of a field besides its type and size limits.
 *
 * @param says what it does; null if the help of its option says it
 * @param least value of a number, {@link #ABOVE_ZERO} for any above 0
 * @param most value of a number, {@link Integer#MAX_VALUE} for any
 * @param usual value of a field that is not given, as it is written; null if no value stands for it
 * @param words that it has to be one of; empty for others
 * @param since version that has it first
 */
public record FieldDoc(
    String says, double least, double most, String usual, List<String> words, String since) {

  public static final double ABOVE_ZERO = Double.MIN_VALUE;

  /** Of a field whose option says all. */
  static final FieldDoc PLAIN = new FieldDoc(null, 0, Integer.MAX_VALUE, null, List.of(), "0.1.0");

  FieldDoc saying(String other) {
    return new FieldDoc(other, least, most, usual, words, since);
  }

  FieldDoc within(double lowest, double highest) {
    return new FieldDoc(says, lowest, highest, usual, words, since);
  }

  FieldDoc usually(String other, List<String> all) {
    return new FieldDoc(says, least, most, other, all, since);
  }
}
