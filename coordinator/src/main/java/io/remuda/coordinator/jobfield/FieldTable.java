package io.remuda.coordinator.jobfield;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Fields by name, in the order in which they are listed. */
public final class FieldTable {

  /** The fields of a job. */
  public static final FieldTable JOB =
      new FieldTable(
          WorkRows.ROWS.fields(),
          NeedsRows.ROWS.fields(),
          TimeRows.ROWS.fields(),
          TrainingRows.ROWS.fields(),
          ContainerRows.ROWS.fields(),
          SubmissionRows.ROWS.fields(),
          SweepRows.ROWS.fields(),
          StreamRows.ROWS.fields());

  /** The fields of {@link WorkRows#GANG}. */
  public static final FieldTable GANG = new FieldTable(GangRows.ROWS.fields());

  /** The fields of each of {@link GangRows#ROLES}. */
  public static final FieldTable ROLE = new FieldTable(GangRows.OF_ROLE);

  private final Map<String, JobField<?>> byName = new LinkedHashMap<>();
  private final Map<String, List<JobField<?>>> beside = new HashMap<>();

  @SafeVarargs
  private FieldTable(List<JobField<?>>... groups) {
    for (List<JobField<?>> group : groups) {
      for (JobField<?> field : group) {
        byName.put(field.name(), field);
        field
            .beside()
            .keySet()
            .forEach(other -> beside.computeIfAbsent(other, any -> new ArrayList<>()).add(field));
      }
    }
  }

  /** Returns the field of a name; empty if there is none. */
  public Optional<JobField<?>> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  public Set<String> names() {
    return byName.keySet();
  }

  /** Returns all fields. */
  public List<JobField<?>> fields() {
    return List.copyOf(byName.values());
  }

  /** Returns the fields that have no meaning without another one. */
  public List<JobField<?>> beside(JobField<?> other) {
    return beside.getOrDefault(other.name(), List.of());
  }
}
