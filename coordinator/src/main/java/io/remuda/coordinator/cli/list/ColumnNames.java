package io.remuda.coordinator.cli.list;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What columns are called: by their headings, and as Slurm's sacct and squeue call them. */
final class ColumnNames {

  private static final Map<String, JobColumn> SLURM =
      table(
          Map.of(
              JobColumn.JOB, "jobid jobidraw",
              JobColumn.NAME, "jobname",
              JobColumn.USER, "username",
              JobColumn.RAN, "elapsed timeused",
              JobColumn.PEAK, "maxrss",
              JobColumn.EXIT, "exitcode",
              JobColumn.START, "starttime",
              JobColumn.ENDED_AT, "end endtime",
              JobColumn.SUBMITTED_AT, "submit submittime",
              JobColumn.NODE, "nodelist"),
          Map.of(
              JobColumn.CPUS, "ncpus reqcpus alloccpus",
              JobColumn.MEM, "reqmem",
              JobColumn.LIMIT, "timelimit"));

  /** Slurm's width of a column, as in {@code JobName%30}: nothing is cut here anyway. */
  private static final Pattern WIDTH = Pattern.compile("(?<=[A-Za-z])%-?\\d{1,4}$");

  private ColumnNames() {}

  @SafeVarargs
  private static Map<String, JobColumn> table(Map<JobColumn, String>... parts) {
    Map<String, JobColumn> table = new HashMap<>();
    for (Map<JobColumn, String> part : parts) {
      part.forEach(
          (column, names) -> List.of(names.split(" ")).forEach(name -> table.put(name, column)));
    }
    return Map.copyOf(table);
  }

  /** Returns the column of a name in any case; empty if there is none. */
  static Optional<JobColumn> find(String text) {
    String name = WIDTH.matcher(text.trim()).replaceFirst("").toLowerCase(Locale.ROOT);
    return choosable()
        .filter(column -> column.heading().toLowerCase(Locale.ROOT).equals(name))
        .findFirst()
        .or(() -> Optional.ofNullable(SLURM.get(name)));
  }

  /** Returns the names of all columns, in one line. */
  static String all() {
    return choosable()
        .map(column -> column.heading().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }

  private static Stream<JobColumn> choosable() {
    return Stream.of(JobColumn.values()).filter(column -> column != JobColumn.EXPECTED);
  }
}
