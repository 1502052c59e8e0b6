package io.remuda.coordinator.cli.list;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option that chooses the columns of the table of jobs. */
public final class ColumnOptions {

  @Option(
      names = {"-o", "--columns", "--format"},
      split = ",",
      paramLabel = "NAME",
      converter = ColumnName.class,
      description =
          "these columns, by their headings and in this order: job, state, tasks, turn, start,"
              + " submitted, ran, node, user, name, reason, exit, started, ended, submitted-at,"
              + " started-at, ended-at, peak, cpus, gpus, mem, priority, limit, after; or as Slurm"
              + " calls them: JobID, JobName, Elapsed, MaxRSS, ExitCode, Submit, End, NodeList")
  private List<JobColumn> columns = new ArrayList<>();

  /** Returns the chosen columns; empty for the usual ones. */
  public List<JobColumn> columns() {
    return List.copyOf(columns);
  }

  /** Returns whether they need what the jobs asked for. */
  public boolean needTerms() {
    return columns.stream().anyMatch(JobColumn::isOfTerms);
  }

  /** Returns whether they need how much memory the jobs' tasks had. */
  public boolean needPeak() {
    return columns.stream().anyMatch(JobColumn::isOfPeak);
  }

  /** Reads the name of a column. */
  static final class ColumnName implements ITypeConverter<JobColumn> {
    @Override
    public JobColumn convert(String name) {
      return ColumnNames.find(name)
          .orElseThrow(() -> new TypeConversionException(wrong(name) + ColumnNames.all()));
    }
  }

  private static String wrong(String name) {
    return name.contains("%")
        ? "'"
            + name
            + "' is Slurm's: name columns, as -o job,name,user,state,ran,node,reason for %i, %j,"
            + " %u, %T, %M, %N and %r; there are "
        : "no column is called '" + name + "': there are ";
  }
}
