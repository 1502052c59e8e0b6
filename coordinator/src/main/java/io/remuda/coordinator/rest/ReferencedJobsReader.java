package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.ReferencedStoredJobs;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.rest.select.MissingJob;
import io.remuda.coordinator.rest.select.SelectedJobs;
import io.remuda.coordinator.rest.select.TaskNumberLookup;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.query.JobQuery;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads what the store says of the jobs to which a submission refers. */
final class ReferencedJobsReader {

  /** Means a user's newest job. */
  private static final String LAST = "last";

  /** The oldest of more jobs of one name are those for which the newer ones wait. */
  private static final int MOST_OF_ONE_NAME = 100;

  private ReferencedJobsReader() {}

  /**
   * Jobs that can be submitted.
   *
   * @param jobs with numbers in place of the names that they are to run after
   * @param stored what the store says of the jobs to which they refer
   */
  record NumberedJobs(List<NewJob> jobs, ReferencedStoredJobs stored) {}

  /** Returns whether none of the jobs has an idempotency key or runs after another. */
  static boolean areNone(List<NewJob> jobs) {
    return jobs.stream()
        .allMatch(
            job ->
                job.terms().after().isEmpty() && job.named().isEmpty() && job.clientKey() == null);
  }

  /** Returns the jobs with all that the store says of those to which they refer. */
  static Reply<NumberedJobs> read(List<NewJob> jobs, StoreReader reader) throws IOException {
    Reply<List<NewJob>> numbered = numbered(jobs, reader);
    if (numbered instanceof Reply.No<List<NewJob>> no) {
      return Reply.no(no.rejection());
    }
    List<NewJob> all = ((Reply.Yes<List<NewJob>>) numbered).value();
    for (NewJob job : all) {
      for (JobDependency one : job.terms().after()) {
        Optional<SelectedJobs.Selected> task =
            reader.job(one.job()).isPresent()
                ? Optional.empty()
                : TaskNumberLookup.find(reader, one.job().value());
        if (task.isPresent()) {
          return Reply.no(
              Rejection.of(
                  Rejection.Code.INVALID,
                  "after accepts only whole jobs, and '%s' is %s: name the job"
                      .formatted(one.job(), MissingJob.words(task.get()))));
        }
      }
    }
    return Reply.of(new NumberedJobs(all, stored(all, reader)));
  }

  /** Returns the jobs with numbers in place of the names that they are to run after. */
  private static Reply<List<NewJob>> numbered(List<NewJob> jobs, StoreReader reader)
      throws IOException {
    List<NewJob> numbered = new ArrayList<>();
    for (NewJob job : jobs) {
      List<JobDependency> after = new ArrayList<>();
      for (NewJob.NamedDependency one : job.named()) {
        if (one.name().equals(NewJob.NamedDependency.SINGLETON)) {
          JobQuery.newest(JobQuery.JobFilter.LIVE, job.user(), MOST_OF_ONE_NAME)
              .named(job.name())
              .ask(reader)
              .rows()
              .forEach(row -> after.add(new JobDependency(row.id(), one.when())));
          continue;
        }
        JobQuery newest = JobQuery.newest(JobQuery.JobFilter.ALL, job.user(), 1);
        List<JobRow> found =
            (one.name().equals(LAST) ? newest : newest.named(one.name())).ask(reader).rows();
        if (found.isEmpty()) {
          return Reply.no(
              new Rejection(
                  Rejection.Code.INVALID,
                  "after '" + one.name() + "': you have no job of this name",
                  one.name().equals("@")
                      ? "write last for your newest job"
                      : "give its number, or see remuda state --all"));
        }
        after.add(new JobDependency(found.get(0).id(), one.when()));
      }
      numbered.add(job.named().isEmpty() ? job : job.after(after));
    }
    return Reply.of(numbered);
  }

  private static ReferencedStoredJobs stored(List<NewJob> jobs, StoreReader reader)
      throws IOException {
    Map<String, JobId> byKey = new HashMap<>();
    Map<JobId, TaskState> states = new HashMap<>();
    Set<JobId> removed = new HashSet<>();
    for (NewJob job : jobs) {
      if (job.clientKey() != null) {
        reader
            .byKey(job.user(), job.clientKey())
            .ifPresent(row -> byKey.put(job.clientKey(), row.id()));
      }
      for (JobDependency dependency : job.terms().after()) {
        Optional<JobRow> row = reader.job(dependency.job());
        row.ifPresent(there -> states.put(there.id(), there.state()));
        if (row.isEmpty() && reader.isRemoved(dependency.job())) {
          removed.add(dependency.job());
        }
      }
    }
    return new ReferencedStoredJobs(byKey, states, removed);
  }
}
