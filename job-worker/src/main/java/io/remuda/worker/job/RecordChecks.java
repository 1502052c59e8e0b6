package io.remuda.worker.job;

/**
 * Checks of record components; the exception message contains the field's name, most also the
 * value.
 */
final class RecordChecks {

  private RecordChecks() {}

  static void atLeast(String field, int least, int value) {
    if (value < least) {
      throw new IllegalArgumentException(field + " must be at least " + least + ", got " + value);
    }
  }

  static void positive(String field, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(field + " must be above 0 and finite, got " + value);
    }
  }

  static void within(String field, int least, int most, int value) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          field + " must be " + least + " to " + most + ", got " + value);
    }
  }

  static void notNegative(String field, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(field + " must be 0 or more, got " + value);
    }
  }

  static void noNul(String field, String text) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(field + " holds a NUL character");
    }
  }
}
