package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.JobTermsChange;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.rest.request.ChangeFields;
import io.remuda.coordinator.rest.request.RequestLimits;
import io.remuda.coordinator.rest.request.ResubmitRequest;
import io.remuda.coordinator.rest.select.MissingJob;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.query.FailedTasks;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskArrayTerms;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.sweep.IndexRanges;
import io.remuda.worker.job.sweep.Sweep;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Makes new jobs of one that is stored, and of those that were cancelled because of it. */
final class JobResubmission {

  /** Longest idempotency key to which the number of a dependent job can be added. */
  private static final int MOST_KEY = JobRow.MOST_KEY - 20;

  private final StoreReader reader;
  private final ResubmitRequest request;
  private final Caller caller;

  /** Positions in the submission of the jobs that are submitted again. */
  private final Map<JobId, Integer> positions = new HashMap<>();

  private final List<NewJob> jobs = new ArrayList<>();

  private JobResubmission(StoreReader reader, ResubmitRequest request, Caller caller) {
    this.reader = reader;
    this.request = request;
    this.caller = caller;
  }

  /**
   * Returns the jobs to be submitted, the repeated one first.
   *
   * @throws IllegalArgumentException if a changed field is wrong; the message is for users
   */
  static Reply<List<NewJob>> of(
      JobId id, ResubmitRequest request, Caller caller, StoreReader reader) throws IOException {
    return new JobResubmission(reader, request, caller).of(id);
  }

  private static boolean is(Boolean given) {
    return given != null && given;
  }

  private Reply<List<NewJob>> of(JobId id) throws IOException {
    JobRow row = reader.job(id).orElse(null);
    JobSpec job = row == null ? null : reader.spec(id).orElse(null);
    if (job == null) {
      return Reply.no(MissingJob.of(id, reader));
    }
    if (!caller.mayActFor(row.user())) {
      return refused(Rejection.Code.NOT_YOURS, "job " + id + " belongs to " + row.user());
    }
    if (!(job.tasks().get(0) instanceof CommandWorkload command)) {
      return refused(
          Rejection.Code.INVALID, "job " + id + " runs no command that can be run again");
    }
    JobTermsChange change = ChangeFields.of(request.changes(), row.user(), command.argv());
    JobSpec changed = change.applied(job);
    int[] some = some(row, job);
    Optional<Rejection> no = some == null ? Optional.empty() : refusalOfSome(some, job);
    if (no.isPresent()) {
      return Reply.no(no.get());
    }
    Sweep sweep = some == null ? job.terms().array().sweep() : part(some, job);
    add(id, again(row, changed, sweep, change));
    if (is(request.withDependents())) {
      addDependents(row);
    }
    return jobs.size() <= RequestLimits.JOBS
        ? Reply.of(jobs)
        : refused(
            Rejection.Code.TOO_MANY,
            jobs.size() + " jobs were cancelled because of job " + id + ": submit them in parts");
  }

  private static Reply<List<NewJob>> refused(Rejection.Code code, String message) {
    return Reply.no(Rejection.of(code, message));
  }

  /** Returns the indices of the tasks that are meant, ascending; null for all of them. */
  private int[] some(JobRow row, JobSpec job) throws IOException {
    if (is(request.failed())) {
      return FailedTasks.failed(row, reader);
    } else if (is(request.unsuccessful())) {
      return FailedTasks.unsuccessful(row, reader);
    } else if (request.tasks() == null) {
      return null;
    }
    IndexRanges named = IndexRanges.parse(request.tasks());
    int[] tasks = IntStream.range(0, named.size()).map(named::get).sorted().toArray();
    int last = tasks[tasks.length - 1];
    if (last >= job.tasks().size()) {
      throw new IllegalArgumentException(
          "tasks: there is no task "
              + new TaskId(job.id(), last)
              + ": job "
              + job.id()
              + " has "
              + job.tasks().size());
    }
    return tasks;
  }

  private Optional<Rejection> refusalOfSome(int[] some, JobSpec job) {
    int ways = request.tasks() == null ? 0 : 1;
    ways += is(request.failed()) ? 1 : 0;
    ways += is(request.unsuccessful()) ? 1 : 0;
    if (ways > 1) {
      return Optional.of(
          Rejection.of(
              Rejection.Code.INVALID, "only one of failed, unsuccessful and tasks says which"));
    }
    if (job.terms().gang() != null) {
      return Optional.of(
          new Rejection(
              Rejection.Code.INVALID,
              "the tasks of job " + job.id() + " belong together, so none of them runs alone",
              "submit all of it again: leave failed out"));
    }
    if (some.length > 0) {
      return Optional.empty();
    }
    return Optional.of(
        is(request.failed())
            ? new Rejection(
                Rejection.Code.WRONG_STATE,
                "no task of job " + job.id() + " has failed",
                "those that were cancelled run again with remuda resubmit --unsuccessful "
                    + job.id())
            : Rejection.of(
                Rejection.Code.WRONG_STATE,
                "each task of job " + job.id() + " that has ended succeeded"));
  }

  /** Returns some tasks of a job, each with its parameters. */
  private static Sweep part(int[] some, JobSpec job) {
    Sweep sweep = job.terms().array().sweep();
    return sweep == null ? Sweep.some(IndexRanges.of(some), job.tasks().size()) : sweep.of(some);
  }

  /**
   * Returns a job that does the same again. Of what it came after, only that counts which has not
   * ended as it should.
   */
  private NewJob again(JobRow row, JobSpec job, Sweep sweep, JobTermsChange change)
      throws IOException {
    boolean has = change != null && change.isOfDependencies();
    List<JobDependency> after = new ArrayList<>();
    List<NewJob.SiblingDependency> siblings = new ArrayList<>();
    for (JobDependency one : has ? change.wanted().terms().after() : open(row, job)) {
      Integer position = positions.get(one.job());
      if (position == null) {
        after.add(one);
      } else {
        siblings.add(new NewJob.SiblingDependency(position, one.when()));
      }
    }
    TaskArrayTerms array = job.terms().array().again(row.id(), sweep);
    if (change != null) {
      TaskArrayTerms wanted = change.wanted().terms().array();
      array = array.withFirst(wanted.first(), wanted.firstUntilMillis());
    }
    int tasks = sweep == null ? job.tasks().size() : sweep.size();
    boolean all = tasks == job.tasks().size();
    return new NewJob(
        job.name(),
        job.user(),
        job.request(),
        job.terms().withArray(array).withAfter(after),
        all ? job.tasks() : Collections.nCopies(tasks, job.tasks().get(0)),
        job.threads(),
        false,
        change != null && change.wanted().hold(),
        key(row.id()),
        siblings,
        has ? change.wanted().named() : List.of());
  }

  /** Returns what a job still waited for; all of these again if one of them was enough. */
  private static List<JobDependency> open(JobRow row, JobSpec job) {
    return job.terms().afterOne() && !row.open().isEmpty() ? job.terms().after() : row.open();
  }

  private static boolean isAfter(JobSpec job, JobId other) {
    return job.terms().after().stream().anyMatch(dependency -> dependency.job().equals(other));
  }

  private String key(JobId id) {
    String key = request.clientKey();
    if (key != null && !positions.isEmpty() && key.length() > MOST_KEY) {
      throw new IllegalArgumentException(
          "clientKey has at most " + MOST_KEY + " characters with dependents, got " + key.length());
    }
    return key == null || positions.isEmpty() ? key : key + "/" + id;
  }

  private void add(JobId id, NewJob job) {
    positions.put(id, jobs.size());
    jobs.add(job);
  }

  /** Adds the jobs that were cancelled because of how a job ended, and those because of them. */
  private void addDependents(JobRow first) throws IOException {
    List<JobRow> reached = new ArrayList<>(List.of(first));
    for (int next = 0; next < reached.size() && jobs.size() <= RequestLimits.JOBS; next++) {
      JobId before = reached.get(next).id();
      for (JobRow row : reader.cancelledAfter(reached.get(next))) {
        JobSpec job = reader.spec(row.id()).orElse(null);
        if (job != null && isAfter(job, before) && !positions.containsKey(row.id())) {
          add(row.id(), again(row, job, job.terms().array().sweep(), null));
          reached.add(row);
        }
      }
    }
  }
}
