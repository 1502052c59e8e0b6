package io.remuda.coordinator.cli.list;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.output.TextTable;
import java.time.ZonedDateTime;
import java.util.List;

/** Jobs as {@code remuda state} lists them. */
public final class JobTable {

  private final TextTable table;

  /**
   * @param jobs as the server lists them with their progress
   * @param chosen its columns; empty for the usual ones
   * @param now with the zone in which times are shown
   */
  public JobTable(JsonNode jobs, List<JobColumn> chosen, ZonedDateTime now) {
    List<JobColumn> columns = columns(jobs, chosen);
    this.table = headed(columns);
    jobs.forEach(job -> table.row(cells(job, columns, now)));
  }

  /**
   * As {@link #JobTable(JsonNode, List, ZonedDateTime)}, with branches before the jobs' numbers, or
   * in the first column if there are no numbers.
   *
   * @param tree of the jobs
   */
  public JobTable(JsonNode jobs, JobTree tree, List<JobColumn> chosen, ZonedDateTime now) {
    List<JobColumn> columns = columns(jobs, chosen);
    this.table = headed(columns);
    int drawn = Math.max(0, columns.indexOf(JobColumn.JOB));
    for (JobTree.Branch branch : tree.branches()) {
      Object[] cells = cells(branch.job(), columns, now);
      String cell = cells[drawn] == null ? "" : cells[drawn].toString();
      cells[drawn] = branch.before() + cell + branch.after();
      table.row(cells);
    }
  }

  private static List<JobColumn> columns(JsonNode jobs, List<JobColumn> chosen) {
    return chosen.isEmpty() ? JobColumn.usual(jobs) : chosen;
  }

  private static TextTable headed(List<JobColumn> columns) {
    return new TextTable(columns.stream().map(JobColumn::heading).toArray(String[]::new));
  }

  private static Object[] cells(JsonNode job, List<JobColumn> columns, ZonedDateTime now) {
    return columns.stream().map(column -> column.cell(job, now)).toArray();
  }

  /** Returns all lines, with nothing cut. */
  public List<String> lines() {
    return table.lines();
  }

  /** Returns lines for a terminal, long texts cut. */
  public List<String> lines(int width) {
    return table.lines(width);
  }
}
