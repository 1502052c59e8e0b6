package io.remuda.coordinator.rest.select;

import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.jobfield.ShortenedValues;
import io.remuda.coordinator.rest.select.SelectedJobs.Selected;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.query.JobQuery;
import io.remuda.coordinator.store.query.JobQuery.JobFilter;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskArrayTerms;
import io.remuda.worker.job.sweep.Sweep;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the jobs that a request names. Without {@code all} the request is to change them: then a
 * name must mean one job, and only jobs that have not ended are in ranges.
 */
public final class RequestedJobsFinder {

  /** Most jobs of one name that a message lists. */
  private static final int MOST_LISTED = 20;

  /** The limit of who wants all that are named; a lower one was asked for by a user. */
  private static final int MOST_AT_ONCE = 10_000;

  private final StoreReader reader;
  private final JobListRequest request;
  private final JobQuery filter;
  private final JobQuery own;
  private final Set<Selected> chosen = new LinkedHashSet<>();
  private final List<String> notes = new ArrayList<>();
  private final Map<JobId, ArrayIndexLookup> indices = new HashMap<>();

  private RequestedJobsFinder(StoreReader reader, JobListRequest request, String caller) {
    this.reader = reader;
    this.request = request;
    this.filter = request.query().first(JobListRequest.MOST_NAMED);
    this.own = of(filter.user() == null ? caller : filter.user(), filter.which());
  }

  private JobQuery of(String user, JobFilter which) {
    return filter.of(user, which).before(0);
  }

  /**
   * Returns the jobs of a request; without selectors, the newest that pass its filters.
   *
   * @param caller whose jobs {@code last}, {@code all} and names mean
   */
  public static Reply<SelectedJobs> find(StoreReader reader, JobListRequest request, String caller)
      throws IOException {
    if (request.selectors().isEmpty()) {
      JobQuery.Part part = request.query().ask(reader);
      List<Selected> jobs = part.rows().stream().map(Selected::whole).toList();
      return Reply.of(new SelectedJobs(jobs, List.of(), part.next()));
    }
    RequestedJobsFinder selection = new RequestedJobsFinder(reader, request, caller);
    for (JobSelectionExpression selector : request.selectors()) {
      Optional<Rejection> no = selection.add(selector);
      if (no.isPresent()) {
        return Reply.no(no.get());
      }
    }
    int most = request.query().limit();
    return selection.chosen.size() > most && most >= MOST_AT_ONCE
        ? Reply.no(
            Rejection.of(
                Rejection.Code.TOO_MANY,
                selection.chosen.size()
                    + " jobs and tasks are named, and at most "
                    + most
                    + " are taken at once: name them in several commands"))
        : Reply.of(new SelectedJobs(selection.newest(), selection.notes, null));
  }

  /** Returns the chosen jobs; if there are more than the limit, those with the highest numbers. */
  private List<Selected> newest() {
    List<Selected> all = List.copyOf(chosen);
    int limit = request.query().limit();
    if (all.size() <= limit) {
      return all;
    }
    Set<Selected> kept =
        all.stream()
            .sorted(Comparator.comparing((Selected one) -> one.row().id()).reversed())
            .limit(limit)
            .collect(Collectors.toSet());
    return all.stream().filter(kept::contains).toList();
  }

  private Optional<Rejection> add(JobSelectionExpression selector) throws IOException {
    if (selector instanceof JobSelectionExpression.OfNumber one) {
      return addNumber(one);
    } else if (selector instanceof JobSelectionExpression.OfRange range) {
      return addRange(range);
    } else if (selector instanceof JobSelectionExpression.All) {
      JobQuery.Part live = of(own.user(), JobFilter.LIVE).ask(reader);
      if (live.next() != null && request.query().limit() >= MOST_AT_ONCE) {
        return Optional.of(tooMany("more than " + live.rows().size() + " jobs have not ended"));
      }
      addAll(live.rows());
      return Optional.empty();
    } else if (selector instanceof JobSelectionExpression.Last last) {
      List<JobRow> newest = mine().first(1).ask(reader).rows();
      return newest.isEmpty()
          ? Optional.of(none(own.user() + " has no job here" + ofFilters()))
          : add(newest.get(0), last.tasks());
    }
    return addNamed(((JobSelectionExpression.Named) selector).text());
  }

  private JobQuery mine() {
    return of(own.user(), JobFilter.ALL);
  }

  private void addAll(List<JobRow> newestFirst) {
    List<JobRow> rows = new ArrayList<>(newestFirst);
    Collections.reverse(rows);
    rows.forEach(row -> chosen.add(Selected.whole(row)));
  }

  private Optional<Rejection> add(JobRow row, TaskSelector tasks) throws IOException {
    return switch (tasks.kind()) {
      case ALL -> {
        chosen.add(Selected.whole(row));
        yield Optional.empty();
      }
      case NUMBERS -> addNumbers(row, tasks.ranges().get(0));
      case INDICES -> addIndices(row, tasks.ranges());
    };
  }

  private Optional<Rejection> addNumbers(JobRow row, TaskSelector.Range numbers)
      throws IOException {
    for (int task = numbers.first(); task <= numbers.last(); task++) {
      if (task >= row.tasks()) {
        return Optional.of(noTask(row, task));
      }
      chosen.add(new Selected(row, task, indices(row).of(task)));
    }
    return Optional.empty();
  }

  /** Adds the tasks with these array indices; in a range there may be gaps. */
  private Optional<Rejection> addIndices(JobRow row, List<TaskSelector.Range> ranges)
      throws IOException {
    ArrayIndexLookup all = indices(row);
    for (TaskSelector.Range range : ranges) {
      List<Integer> found = all.tasks(range);
      if (found.isEmpty()) {
        return Optional.of(
            Rejection.of(
                Rejection.Code.NOT_FOUND,
                "job %s has no task of array index %s: its indices are %s"
                    .formatted(row.id(), range, all.ends())));
      } else if (found.size() > TaskSelector.MOST_TASKS) {
        return Optional.of(tooMany(found.size() + " tasks have these indices"));
      }
      found.forEach(task -> chosen.add(new Selected(row, task, all.of(task))));
    }
    return Optional.empty();
  }

  private ArrayIndexLookup indices(JobRow row) throws IOException {
    ArrayIndexLookup known = indices.get(row.id());
    if (known == null) {
      TaskArrayTerms terms =
          reader.spec(row.id()).map(spec -> spec.terms().array()).orElse(TaskArrayTerms.NONE);
      known = new ArrayIndexLookup(terms, row.tasks());
      indices.put(row.id(), known);
    }
    return known;
  }

  private static Rejection tooMany(String what) {
    return Rejection.of(Rejection.Code.TOO_MANY, what + ": give smaller ranges");
  }

  /** Returns that a job has no task of this number. */
  public static Rejection noTask(JobRow row, int task) {
    String what =
        row.tasks() == 1
            ? "job " + row.id() + " has one task, " + row.id() + ".0"
            : "the tasks of job "
                + row.id()
                + " are "
                + row.id()
                + ".0 to "
                + row.id()
                + "."
                + (row.tasks() - 1);
    return Rejection.of(
        Rejection.Code.NOT_FOUND, "there is no task " + row.id() + "." + task + ": " + what);
  }

  private Optional<Rejection> addNumber(JobSelectionExpression.OfNumber one) throws IOException {
    long job = one.job();
    Optional<JobRow> row = reader.job(new JobId(job));
    Optional<Selected> task =
        row.isPresent() || !one.tasks().equals(TaskSelector.ALL)
            ? Optional.empty()
            : TaskNumberLookup.find(reader, job);
    if (row.isEmpty() && task.isEmpty()) {
      return Optional.of(MissingJob.of(new JobId(job), reader));
    }
    JobRow found = row.orElseGet(() -> task.get().row());
    long id = found.id().value();
    if (of(filter.user(), JobFilter.ALL).between(id, id).ask(reader).rows().isEmpty()) {
      return Optional.empty();
    }
    task.ifPresent(chosen::add);
    return task.isPresent() ? Optional.empty() : add(found, one.tasks());
  }

  private Optional<Rejection> addRange(JobSelectionExpression.OfRange range) throws IOException {
    JobQuery all = of(filter.user(), filter.which()).between(range.first(), range.last());
    JobQuery.Part found = all.ask(reader);
    if (found.next() != null) {
      return Optional.of(tooMany("more than " + found.rows().size() + " jobs are in that range"));
    }
    if (found.rows().isEmpty() && unfiltered()) {
      String kind = all.which() == JobFilter.LIVE ? "unfinished job" : "job";
      return Optional.of(
          none("no " + kind + " has a number from " + range.first() + " to " + range.last()));
    }
    addAll(found.rows());
    return Optional.empty();
  }

  private boolean unfiltered() {
    return filter.equals(JobQuery.newest(filter.which(), filter.user(), filter.limit()));
  }

  private String ofFilters() {
    return unfiltered() ? "" : " that passes the filters";
  }

  /** Adds the job with this whole word as its name, else those of a list, or tasks of one. */
  private Optional<Rejection> addNamed(String word) throws IOException {
    Optional<Reply<JobRow>> whole = named(word);
    List<String> parts = JobSelectionExpression.parts(word);
    Optional<TaskSelector.OfJob> tasks = TaskSelector.split(word);
    if (whole.isPresent()) {
      return add(whole.get(), TaskSelector.ALL);
    } else if (parts.size() > 1) {
      return addEach(parts);
    } else if (tasks.isPresent()) {
      Optional<Reply<JobRow>> job = named(tasks.get().job());
      if (job.isPresent()) {
        Optional<String> fault = tasks.get().tasks().fault();
        return fault.isPresent()
            ? Optional.of(Rejection.of(Rejection.Code.INVALID, fault.get()))
            : add(job.get(), tasks.get().tasks());
      }
    }
    return Optional.of(
        none("no job of " + own.user() + " is named " + ShortenedValues.quoted(word)));
  }

  private Optional<Rejection> addEach(List<String> parts) throws IOException {
    for (String part : parts) {
      if (part.isBlank()) {
        return Optional.of(
            Rejection.of(Rejection.Code.INVALID, "between two commas there is no job"));
      }
      Optional<Rejection> no = add(JobSelectionExpression.one(part));
      if (no.isPresent()) {
        return no;
      }
    }
    return Optional.empty();
  }

  private Optional<Rejection> add(Reply<JobRow> job, TaskSelector tasks) throws IOException {
    return job instanceof Reply.Yes<JobRow> yes
        ? add(yes.value(), tasks)
        : Optional.of(((Reply.No<JobRow>) job).rejection());
  }

  /** Returns the job that a name means, or why it means none; empty if no job has it. */
  private Optional<Reply<JobRow>> named(String name) throws IOException {
    List<JobRow> unfinished =
        of(own.user(), JobFilter.LIVE).named(name).first(MOST_LISTED).ask(reader).rows();
    boolean changes = request.query().which() == JobFilter.LIVE;
    if (unfinished.size() > 1 && changes) {
      return Optional.of(Reply.no(ambiguous(name, unfinished)));
    }
    if (unfinished.size() == 1 && changes) {
      return Optional.of(Reply.of(unfinished.get(0)));
    }
    List<JobRow> newest = mine().named(name).first(1).ask(reader).rows();
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    noteOthers(name, newest.get(0), unfinished);
    return Optional.of(Reply.of(newest.get(0)));
  }

  private void noteOthers(String name, JobRow newest, List<JobRow> unfinished) {
    if (unfinished.stream().anyMatch(other -> !other.id().equals(newest.id()))) {
      notes.add(
          "job "
              + newest.id()
              + " is the newest named "
              + ShortenedValues.quoted(name)
              + "; unfinished ones of that name: "
              + numbers(unfinished));
    }
  }

  private static String numbers(List<JobRow> rows) {
    return rows.stream().map(row -> row.id().toString()).collect(Collectors.joining(", "))
        + (rows.size() < MOST_LISTED ? "" : ", …");
  }

  private static Rejection ambiguous(String name, List<JobRow> rows) {
    return new Rejection(
        Rejection.Code.WRONG_STATE,
        "several unfinished jobs are named " + ShortenedValues.quoted(name) + ": " + numbers(rows),
        "give a number, or --name " + ShortenedValues.quoted(name) + " for all of them");
  }

  private static Rejection none(String what) {
    return new Rejection(Rejection.Code.NOT_FOUND, what, "remuda state --all lists your jobs");
  }

  /** The tasks of a job by array index, to find many of them. */
  private static final class ArrayIndexLookup {

    private static final int SHIFT = Integer.SIZE;

    private final TaskArrayTerms terms;
    private final int tasks;

    /** Index and task of each, ascending; null until it is needed. */
    private long[] sorted;

    ArrayIndexLookup(TaskArrayTerms terms, int tasks) {
      this.terms = terms;
      this.tasks = tasks;
    }

    /** Returns the array index of a task; null if those of its job are the tasks' numbers. */
    Integer of(int task) {
      return terms.indexOf(task);
    }

    /** Returns the tasks with these indices, by ascending index. */
    List<Integer> tasks(TaskSelector.Range indices) {
      if (sorted == null) {
        Sweep sweep = terms.sweep();
        sorted = new long[tasks];
        Arrays.setAll(
            sorted, task -> (long) (sweep == null ? task : sweep.arrayIndex(task)) << SHIFT | task);
        Arrays.sort(sorted);
      }
      int at = Arrays.binarySearch(sorted, (long) indices.first() << SHIFT);
      List<Integer> found = new ArrayList<>();
      for (int i = at < 0 ? -at - 1 : at; i < tasks && sorted[i] >> SHIFT <= indices.last(); i++) {
        found.add((int) sorted[i]);
      }
      return found;
    }

    /** Returns the lowest and the highest index, as {@code 1-6}. */
    String ends() {
      tasks(new TaskSelector.Range(0, 0));
      return new TaskSelector.Range((int) (sorted[0] >> SHIFT), (int) (sorted[tasks - 1] >> SHIFT))
          .toString();
    }
  }
}
