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

  private static final Map<String, StateColumn> SLURM =
      table(
          Map.of(
              StateColumn.JOB, "jobid jobidraw",
              StateColumn.NAME, "jobname",
              StateColumn.USER, "username",
              StateColumn.RAN, "elapsed timeused",
              StateColumn.PEAK, "maxrss",
              StateColumn.EXIT, "exitcode",
              StateColumn.START, "starttime",
              StateColumn.ENDED_AT, "end endtime",
              StateColumn.SUBMITTED_AT, "submit submittime",
              StateColumn.NODE, "nodelist"),
          Map.of(
              StateColumn.CPUS, "ncpus reqcpus alloccpus",
              StateColumn.MEM, "reqmem",
              StateColumn.LIMIT, "timelimit"));

  /** Slurm's width of a column, as in {@code JobName%30}: nothing is cut here anyway. */
  private static final Pattern WIDTH = Pattern.compile("(?<=[A-Za-z])%-?\\d{1,4}$");

  private ColumnNames() {}

  @SafeVarargs
  private static Map<String, StateColumn> table(Map<StateColumn, String>... parts) {
    Map<String, StateColumn> table = new HashMap<>();
    for (Map<StateColumn, String> part : parts) {
      part.forEach(
          (column, names) -> List.of(names.split(" ")).forEach(name -> table.put(name, column)));
    }
    return Map.copyOf(table);
  }

  /** Returns the column of a name in any case; empty if there is none. */
  static Optional<StateColumn> find(String text) {
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

  private static Stream<StateColumn> choosable() {
    return Stream.of(StateColumn.values()).filter(column -> column != StateColumn.EXPECTED);
  }
}
