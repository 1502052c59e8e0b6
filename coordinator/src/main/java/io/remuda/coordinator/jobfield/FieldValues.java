package io.remuda.coordinator.jobfield;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The fields that were given of those of a table; the others have their defaults.
 *
 * @param all by the names of their fields, each of its field's type; none is null
 */
public record FieldValues(Map<String, Object> all) {

  public FieldValues {
    all = Collections.unmodifiableMap(new LinkedHashMap<>(all));
  }

  /** Returns the value of a field; null if it was not given. */
  @SuppressWarnings("unchecked") // of the type of its field
  public <T> T get(JobField<T> field) {
    return (T) all.get(field.name());
  }

  /** Returns the value of a field, or another one if it was not given. */
  public <T> T or(JobField<T> field, T usual) {
    T given = get(field);
    return given == null ? usual : given;
  }

  /** Returns whether a field was given. */
  public boolean has(JobField<?> field) {
    return all.containsKey(field.name());
  }

  /** Returns whether one of these fields was given. */
  public boolean hasAny(JobField<?>... fields) {
    return Stream.of(fields).anyMatch(this::has);
  }
}
