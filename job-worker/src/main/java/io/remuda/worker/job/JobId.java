package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** A job's number: positive, unique within one state folder. */
public record JobId(long value) implements Comparable<JobId> {

  public JobId {
    if (value < 1) {
      throw new IllegalArgumentException("job id must be positive, got " + value);
    }
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static JobId of(long value) {
    return new JobId(value);
  }

  @JsonValue
  @Override
  public long value() {
    return value;
  }

  @Override
  public int compareTo(JobId other) {
    return Long.compare(value, other.value);
  }

  /**
   * Compares like the generated method, but faster with the C1 compiler only; ids are keys of most
   * maps.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof JobId same && value == same.value;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
