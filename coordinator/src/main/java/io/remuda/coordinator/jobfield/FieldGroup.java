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
  private final List<FieldOption> options;
  private final String set;
  private final FieldDoc doc;

  FieldGroup() {
    this(new ArrayList<>(), Map.of(), List.of(), null, FieldDoc.PLAIN);
  }

  private FieldGroup(
      List<JobField<?>> fields,
      Map<String, Object> beside,
      List<FieldOption> options,
      String set,
      FieldDoc doc) {
    this.fields = fields;
    this.beside = beside;
    this.options = options;
    this.set = set;
    this.doc = doc;
  }

  /** Returns the maker of those rows of this group that have no meaning without other fields. */
  FieldGroup beside(Map<String, Object> others) {
    return new FieldGroup(fields, others, options, set, doc);
  }

  private FieldGroup with(FieldOption option) {
    List<FieldOption> all = new ArrayList<>(options);
    all.add(option);
    return new FieldGroup(fields, beside, List.copyOf(all), set, doc);
  }

  /** Returns the maker of a row whose value is that of an option, as {@code -c --cpus C}. */
  FieldGroup option(String synopsis, String help) {
    return with(FieldOption.of(synopsis, help, true));
  }

  /** Returns the maker of a row with an option of which the command line makes its value. */
  FieldGroup also(String synopsis, String help) {
    return with(FieldOption.of(synopsis, help, false));
  }

  /** Returns the maker of a row whose option {@code remuda set} has, too, with this help. */
  FieldGroup set(String help) {
    return new FieldGroup(fields, beside, options, help, doc);
  }

  /** Returns the maker of a row whose option {@code remuda set} has, too. */
  FieldGroup set() {
    return set(options.get(0).help());
  }

  private FieldGroup with(FieldDoc other) {
    return new FieldGroup(fields, beside, options, set, other);
  }

  /** Returns the maker of a row of which documents say this, in place of the help. */
  FieldGroup says(String text) {
    return with(doc.saying(text));
  }

  /** Returns the maker of a row that has a value if it is not given. */
  FieldGroup usual(String value) {
    return with(doc.usually(value, doc.words()));
  }

  /** Returns the maker of a row that is one of some words. */
  FieldGroup words(String... words) {
    return with(doc.usually(doc.usual(), List.of(words)));
  }

  List<JobField<?>> fields() {
    return Collections.unmodifiableList(fields);
  }

  private <T> JobField<T> add(String name, Type type, FieldLimit limit, Changes changes) {
    JobField<T> field = new JobField<>(name, type, limit, changes, beside, options, set, doc);
    fields.add(field);
    return field;
  }

  JobField<String> text(String name, int characters, Changes changes) {
    return add(name, Type.TEXT, FieldLimit.text(characters), changes);
  }

  JobField<Integer> integer(String name, int least, int most, Changes changes) {
    return with(doc.within(least, most)).add(name, Type.INTEGER, FieldLimit.NONE, changes);
  }

  JobField<Double> number(String name, double least, double most, Changes changes) {
    return with(doc.within(least, most)).add(name, Type.NUMBER, FieldLimit.NONE, changes);
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
