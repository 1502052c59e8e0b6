package io.remuda.coordinator.jobfield;

import java.util.List;
import java.util.Map;

/**
 * One row of a {@link FieldTable}.
 *
 * @param <T> of its value
 * @param name in JSON and in job files
 * @param limit of its texts and entries
 * @param changes when it can change in a job that is there already
 * @param beside fields that it has no meaning without, each with some value, so that it can be
 *     checked by itself
 * @param options of {@code remuda submit}; none for a field of JSON and job files alone
 * @param set help of the first option in {@code remuda set}; null if that has none
 * @param doc what documents say of it
 */
public record JobField<T>(
    String name,
    Type type,
    FieldLimit limit,
    Changes changes,
    Map<String, Object> beside,
    List<FieldOption> options,
    String set,
    FieldDoc doc) {

  /** How a value is written. */
  public enum Type {
    TEXT,
    /** A whole number that an {@code int} holds. */
    INTEGER,
    NUMBER,
    FLAG,
    TEXTS,
    /** Texts by name. */
    MAP,
    /** Texts of which each is for one task. */
    LINES,
    /** Values of any kind of which each is for one task. */
    ENTRIES,
    /** True, false, or the fields of {@link FieldTable#GANG}. */
    GANG,
    /** By name, the fields of {@link FieldTable#ROLE}. */
    ROLES
  }

  /** When a field can change. */
  public enum Changes {
    NEVER,
    /** While no task has a place, since it says what a task needs there. */
    WAITING,
    ALWAYS
  }

  /**
   * Returns the constant of one of its words, in any case.
   *
   * @throws IllegalArgumentException if it is no such word; the message has name and value
   */
  public <E extends Enum<E>> E word(E[] constants, String text) {
    for (E one : constants) {
      if (one.name().equalsIgnoreCase(text)) {
        return one;
      }
    }
    throw new IllegalArgumentException(
        name
            + " must be "
            + String.join(", ", doc.words()).replaceFirst(", ([\\w-]+)$", " or $1")
            + ", got "
            + ShortenedValues.quoted(text));
  }
}
