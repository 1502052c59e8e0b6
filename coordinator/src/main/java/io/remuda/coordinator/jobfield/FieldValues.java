package io.remuda.coordinator.jobfield;

import io.remuda.worker.job.SizeAndTimeParser;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
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

  /** Refuses the fields that have no meaning without another one, which is not given. */
  public void refuseWithout(JobField<?> missing, String words) {
    List<JobField<?>> others = FieldTable.JOB.beside(missing);
    if (others.stream().anyMatch(this::has)) {
      String names = others.stream().map(JobField::name).collect(Collectors.joining(", "));
      throw new IllegalArgumentException(
          names.replaceFirst(", (\\w+)$", " and $1") + " require " + words);
    }
  }

  /** Returns a size or a time, or another one if it was not given. */
  public long read(JobField<String> field, ToLongFunction<String> reader, long usual) {
    return has(field) ? read(field.name(), get(field), reader) : usual;
  }

  /** Returns a size or a time of which 0 would mean something else than it says; 0 for none. */
  public long positive(JobField<String> field, ToLongFunction<String> reader) {
    return has(field) ? positive(field.name(), get(field), reader) : 0;
  }

  /** Reads a quantity of which 0 would mean something else than it says. */
  public static long positive(String name, String text, ToLongFunction<String> reader) {
    long value = read(name, text, reader);
    if (value == 0) {
      throw new IllegalArgumentException(name + " must be above 0, got '" + text + "'");
    }
    return value;
  }

  /** Reads a quantity; what is wrong has the name of its field. */
  public static long read(String name, String text, ToLongFunction<String> reader) {
    try {
      return reader.applyAsLong(text);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(name + ": " + wrong.getMessage(), wrong);
    }
  }

  public static long millis(String time) {
    return SizeAndTimeParser.time(time).toMillis();
  }
}
