package io.remuda.coordinator.cli.list;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option that chooses the columns of the table of jobs. */
public final class ColumnOptions {

  @Option(
      names = {"-o", "--columns"},
      split = ",",
      paramLabel = "NAME",
      converter = ColumnName.class,
      description =
          "these columns, by their headings and in this order: job, state, tasks, turn, start,"
              + " submitted, ran, node, user, name, reason, exit, started, ended, cpus, gpus, mem,"
              + " priority, limit, after")
  private List<StateColumn> columns = new ArrayList<>();

  @Option(names = "--format", hidden = true, converter = SlurmFormat.class)
  private List<StateColumn> slurm = new ArrayList<>();

  /** Returns the chosen columns; empty for the usual ones. */
  public List<StateColumn> columns() {
    return List.copyOf(columns);
  }

  /** Reads the name of a column. */
  static final class ColumnName implements ITypeConverter<StateColumn> {
    @Override
    public StateColumn convert(String name) {
      if (name.contains("%")) {
        throw noFormat("-o", name);
      }
      return Stream.of(StateColumn.values())
          .filter(column -> column.name().equalsIgnoreCase(name.trim()))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "-o: no column is called '" + name + "': there are " + names()));
    }
  }

  /** Says what to write instead of Slurm's option. */
  static final class SlurmFormat implements ITypeConverter<StateColumn> {
    @Override
    public StateColumn convert(String format) {
      throw noFormat("--format", format);
    }
  }

  private static TypeConversionException noFormat(String option, String format) {
    return new TypeConversionException(
        option
            + " '"
            + format
            + "' is Slurm's: name columns, as -o job,name,user,state,ran,node,reason for %i, %j,"
            + " %u, %T, %M, %N and %r; there are "
            + names());
  }

  private static String names() {
    return Stream.of(StateColumn.values())
        .map(column -> column.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }
}
