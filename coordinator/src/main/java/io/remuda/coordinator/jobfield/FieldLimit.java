package io.remuda.coordinator.jobfield;

/**
 * The size limits of one field.
 *
 * @param items maximum entries of a list or a map; 1 for a text
 * @param name maximum Unicode characters of each name of a map, otherwise 0
 * @param text maximum Unicode characters of each text; 0 for a field without texts
 */
public record FieldLimit(int items, int name, int text) {

  /** Of a field that is a number, or true or false. */
  public static final FieldLimit NONE = new FieldLimit(0, 0, 0);

  /** Maximum characters of all arguments and the environment of a job, and so of each of them. */
  public static final int COMMAND = 500_000;

  /** Maximum characters of the name of a field or of a variable. */
  public static final int NAME = 1000;

  /** Maximum characters of a name that people give. */
  public static final int WORD = 200;

  /** Maximum characters of a size, a time, or one of a few words. */
  public static final int QUANTITY = 50;

  public static final int PATH = 4096;
  public static final int TYPE = 500;

  /** Maximum characters of what one task has for itself, which must fit into a variable. */
  static final int LINE = 100_000;

  /** Returns the limit of a text. */
  public static FieldLimit text(int characters) {
    return new FieldLimit(1, 0, characters);
  }

  /** Returns the limit of a list of texts. */
  public static FieldLimit list(int items, int characters) {
    return new FieldLimit(items, 0, characters);
  }
}
