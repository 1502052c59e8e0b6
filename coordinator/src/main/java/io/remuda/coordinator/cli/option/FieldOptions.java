package io.remuda.coordinator.cli.option;

import io.remuda.coordinator.jobfield.FieldOption;
import io.remuda.coordinator.jobfield.FieldTable;
import io.remuda.coordinator.jobfield.JobField;
import io.remuda.coordinator.jobfield.NeedsRows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** The options of the fields of a job, as their table has them, and what is typed for them. */
public final class FieldOptions {

  private static final String PART = "0?\\.\\d{1,3}";

  private final CommandSpec mixin = CommandSpec.create();
  private final List<JobField<?>> fields = new ArrayList<>();

  private FieldOptions() {}

  /** Returns the options of all fields. */
  public static FieldOptions ofJob() {
    FieldOptions all = new FieldOptions();
    for (JobField<?> field : FieldTable.JOB.fields()) {
      all.add(field, field.options());
      if (field.type() == JobField.Type.GANG) {
        FieldTable.GANG.fields().forEach(part -> all.add(part, part.options()));
      }
    }
    return all;
  }

  /** Returns the options of a job that is there already. */
  public static FieldOptions toSet() {
    FieldOptions some = new FieldOptions();
    for (JobField<?> field : FieldTable.JOB.fields()) {
      if (field.set() != null) {
        FieldOption own = field.options().get(0);
        some.add(
            field,
            List.of(new FieldOption(own.names(), own.label(), own.form(), field.set(), true)));
      }
    }
    return some;
  }

  private void add(JobField<?> field, List<FieldOption> options) {
    options.forEach(option -> mixin.addOption(option(field, option)));
    fields.add(field);
  }

  private static OptionSpec option(JobField<?> field, FieldOption option) {
    OptionSpec.Builder spec =
        OptionSpec.builder(option.names().toArray(String[]::new)).description(option.help());
    if (option.label() != null) {
      spec.paramLabel(option.label()).arity("1");
    }
    if (field == NeedsRows.GPUS) {
      spec.converters((ITypeConverter<Integer>) FieldOptions::gpus);
    }
    if (option.form() == FieldOption.Form.COMMAS) {
      spec.splitRegex(",");
    }
    boolean pairs = field.type() == JobField.Type.MAP && option.whole();
    return switch (option.form()) {
      case FLAG -> spec.type(boolean.class).build();
      case ONE -> spec.type(type(field)).build();
      case COMMAS, EACH ->
          pairs
              ? spec.type(Map.class).auxiliaryTypes(String.class, String.class).build()
              : spec.type(List.class).auxiliaryTypes(String.class).build();
    };
  }

  /** Reads a number of GPUs; says for a part of one how it is asked for. */
  private static Integer gpus(String value) {
    if (value.matches("\\d{1,9}|-\\d{1,9}")) {
      return Integer.valueOf(value);
    }
    if (value.matches(PART) && Double.parseDouble(value) > 0) {
      throw new TypeConversionException(
          "--gpus must be a whole number, got '"
              + value
              + "'; for a part of a GPU give --gpu-mem SIZE, or --per-gpu "
              + Math.max(1, Math.round(Math.floor(1 / Double.parseDouble(value))))
              + " for as many tasks on each");
    }
    throw new TypeConversionException("--gpus must be a whole number, got '" + value + "'");
  }

  private static Class<?> type(JobField<?> field) {
    return switch (field.type()) {
      case INTEGER -> Integer.class;
      case NUMBER -> Double.class;
      default -> String.class;
    };
  }

  /** Returns the options for the command that has them, as a field with {@code @Mixin}. */
  public CommandSpec mixin() {
    return mixin;
  }

  /** Returns the command that has these options. */
  public CommandSpec command() {
    return mixin.options().get(0).command();
  }

  /** Returns what was given for a field by its first option; null for nothing. */
  public <T> T get(JobField<T> field) {
    return get(field.options().get(0).name());
  }

  /** Returns what was given by an option; null for nothing. */
  public <T> T get(String option) {
    return mixin.findOption(option).getValue();
  }

  /** Returns whether a flag was given. */
  public boolean has(String flag) {
    return Boolean.TRUE.equals(get(flag));
  }

  /** Gives a field a value in place of what was typed. */
  public <T> void set(JobField<T> field, T value) {
    mixin.findOption(field.options().get(0).name()).setValue(value);
  }

  /** Returns the values of the fields whose own options were given, by name. */
  public Map<String, Object> values() {
    Map<String, Object> values = new LinkedHashMap<>();
    for (JobField<?> field : fields) {
      if (!field.options().isEmpty() && field.options().get(0).whole()) {
        Object value = get(field);
        if (value != null && !value.equals(false)) {
          values.put(field.name(), value);
        }
      }
    }
    return values;
  }
}
