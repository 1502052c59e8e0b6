package io.remuda.coordinator.store.query;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.JobSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A query for jobs, newest first. A job has to have every property that is asked for.
 *
 * @param user the owner, or null for all users
 * @param from lowest number of a job, or 0
 * @param before only jobs with a lower number, or 0 for all
 * @param names of which it has one; empty for any
 * @param states of which it is in one; empty for any
 * @param labels that its tasks ask of their node; empty for any
 * @param since only jobs submitted at this time or later, in milliseconds since 1970
 * @param endedSince only jobs that have ended at this time or later, likewise; 0 for all
 * @param limit maximum number of jobs
 */
public record JobQuery(
    JobFilter which,
    String user,
    long from,
    long before,
    List<String> names,
    Set<TaskState> states,
    Map<String, String> labels,
    long since,
    long endedSince,
    int limit) {

  /** Which jobs a query returns. */
  public enum JobFilter {
    /** Those that have not ended. */
    LIVE,
    ALL
  }

  public JobQuery {
    names = List.copyOf(names);
    states = Collections.unmodifiableSet(states);
    labels = Collections.unmodifiableMap(new TreeMap<>(labels));
  }

  /** Returns a query for the newest jobs of a user, or of all users if it is null. */
  public static JobQuery newest(JobFilter which, String user, int limit) {
    return new JobQuery(which, user, 0, 0, List.of(), Set.of(), Map.of(), 0, 0, limit);
  }

  /** Returns the same query for jobs with lower numbers, or for all if it is 0. */
  public JobQuery before(long job) {
    return with(from, job, names, limit);
  }

  /** Returns the same query for the jobs with these numbers. */
  public JobQuery between(long first, long last) {
    return with(first, last + 1, names, limit);
  }

  /** Returns the same query for the jobs of one name. */
  public JobQuery named(String name) {
    return with(from, before, List.of(name), limit);
  }

  /** Returns the same query for the first so many jobs. */
  public JobQuery first(int count) {
    return with(from, before, names, count);
  }

  private JobQuery with(long from, long before, List<String> names, int limit) {
    return new JobQuery(which, user, from, before, names, states, labels, since, endedSince, limit);
  }

  /** Returns the same query for jobs of a user, or of all users if it is null. */
  public JobQuery of(String owner, JobFilter jobs) {
    return new JobQuery(jobs, owner, from, before, names, states, labels, since, endedSince, limit);
  }

  /**
   * A part of the jobs that were asked for.
   *
   * @param next what {@link #before} is for the next part, or null if there is none
   */
  public record Part(List<JobRow> rows, Long next) {}

  /** Asks the store. A part may have no jobs and yet not be the last. */
  public Part ask(StoreReader reader) throws IOException {
    List<Object> values = new ArrayList<>();
    StringBuilder sql = new StringBuilder("SELECT * FROM jobs WHERE 1 = 1");
    sql.append(which == JobFilter.LIVE ? " AND ended = 0" : "");
    add(sql, values, user != null, " AND \"user\" = ?", user);
    add(sql, values, from > 0, " AND id >= ?", from);
    add(sql, values, before > 0, " AND id < ?", before);
    add(sql, values, since > 0, " AND submitted >= ?", since);
    add(sql, values, endedSince > 0, " AND ended >= ?", endedSince);
    addAny(sql, values, "name", names);
    addAny(sql, values, "state", states.stream().map(TaskState::name).toList());
    for (Map.Entry<String, String> label : labels.entrySet()) {
      add(
          sql,
          values,
          true,
          " AND EXISTS (SELECT 1 FROM specs WHERE specs.job = jobs.id AND body LIKE ?"
              + " ESCAPE '!')", // a job that only has these texts elsewhere is dropped below
          "%" + escaped(label.getKey()) + "%" + escaped(label.getValue()) + "%");
    }
    sql.append(" ORDER BY id DESC LIMIT ?");
    values.add(limit);
    StoreReader.RowBatch<JobRow> batch = reader.jobs(sql.toString(), limit, values.toArray());
    List<JobRow> rows = batch.rows();
    Long next = batch.more() ? rows.get(rows.size() - 1).id().value() : null;
    return new Part(labels.isEmpty() ? rows : labelled(rows, reader), next);
  }

  private static void add(
      StringBuilder sql, List<Object> values, boolean wanted, String text, Object value) {
    if (wanted) {
      sql.append(text);
      values.add(value);
    }
  }

  private static void addAny(
      StringBuilder sql, List<Object> values, String column, List<String> wanted) {
    if (!wanted.isEmpty()) {
      String[] marks = new String[wanted.size()];
      Arrays.fill(marks, "?");
      sql.append(" AND ").append(column).append(" IN (").append(String.join(", ", marks));
      sql.append(")");
      values.addAll(wanted);
    }
  }

  /** Returns a text as JSON may have it, for LIKE: what JSON may escape matches anything. */
  private static String escaped(String text) {
    return text.replaceAll("[!%_]", "!$0").replaceAll("[^\\x20-\\x7e]|[\"\\\\/<>&']", "%");
  }

  private List<JobRow> labelled(List<JobRow> rows, StoreReader reader) throws IOException {
    List<JobRow> labelled = new ArrayList<>();
    for (JobRow row : rows) {
      Optional<JobSpec> spec = reader.spec(row.id());
      if (spec.isPresent()
          && spec.get().request().labels().entrySet().containsAll(labels.entrySet())) {
        labelled.add(row);
      }
    }
    return labelled;
  }
}
