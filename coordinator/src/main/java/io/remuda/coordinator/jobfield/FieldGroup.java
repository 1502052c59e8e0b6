package io.remuda.coordinator.jobfield;

import io.remuda.coordinator.jobfield.JobField.Changes;
import io.remuda.coordinator.jobfield.JobField.Type;
import io.remuda.worker.job.sweep.CompactTextList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Makes the rows of a group and keeps them in their order. */
final class FieldGroup {

  private final List<JobField<?>> fields;
  private final Map<String, Object> beside;

  FieldGroup() {
    this(new ArrayList<>(), Map.of());
  }

  private FieldGroup(List<JobField<?>> fields, Map<String, Object> beside) {
    this.fields = fields;
    this.beside = beside;
  }

  /** Returns the maker of those rows of this group that have no meaning without other fields. */
  FieldGroup beside(Map<String, Object> others) {
    return new FieldGroup(fields, others);
  }

  List<JobField<?>> fields() {
    return Collections.unmodifiableList(fields);
  }

  private <T> JobField<T> add(String name, Type type, FieldLimit limit, Changes changes) {
    JobField<T> field = new JobField<>(name, type, limit, changes, beside);
    fields.add(field);
    return field;
  }

  JobField<String> text(String name, int characters, Changes changes) {
    return add(name, Type.TEXT, FieldLimit.text(characters), changes);
  }

  JobField<Integer> integer(String name, Changes changes) {
    return add(name, Type.INTEGER, FieldLimit.NONE, changes);
  }

  JobField<Double> number(String name, Changes changes) {
    return add(name, Type.NUMBER, FieldLimit.NONE, changes);
  }

  JobField<Boolean> flag(String name, Changes changes) {
    return add(name, Type.FLAG, FieldLimit.NONE, changes);
  }

  JobField<List<String>> texts(String name, int items, int characters, Changes changes) {
    return add(name, Type.TEXTS, FieldLimit.list(items, characters), changes);
  }

  JobField<Map<String, String>> map(String name, FieldLimit limit, Changes changes) {
    return add(name, Type.MAP, limit, changes);
  }

  JobField<CompactTextList> eachTask(String name, Type type, FieldLimit limit) {
    return add(name, type, limit, Changes.NEVER);
  }

  JobField<FieldValues> gang(String name, Changes changes) {
    return add(name, Type.GANG, FieldLimit.NONE, changes);
  }

  JobField<Map<String, FieldValues>> roles(String name, FieldLimit limit) {
    return add(name, Type.ROLES, limit, Changes.NEVER);
  }
}
