package io.remuda.coordinator.rest;

import io.remuda.agent.protocol.TaskUse;
import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.LiveJobProgress;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.rest.answer.JobAnswer;
import io.remuda.coordinator.rest.answer.JobsAnswer;
import io.remuda.coordinator.rest.answer.ListedJobAnswer;
import io.remuda.coordinator.rest.answer.TaskAnswer;
import io.remuda.coordinator.rest.answer.TasksAnswer;
import io.remuda.coordinator.rest.query.RouteHandlers;
import io.remuda.coordinator.rest.select.JobListRequest;
import io.remuda.coordinator.rest.select.MissingJob;
import io.remuda.coordinator.rest.select.RequestedJobsFinder;
import io.remuda.coordinator.rest.select.SelectedJobs;
import io.remuda.coordinator.rest.select.TaskListRequest;
import io.remuda.coordinator.rest.view.JobProgressReader;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.route.ApiRoute;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.query.AttemptHistory;
import io.remuda.coordinator.store.query.EarlierAttempt;
import io.remuda.coordinator.store.query.PeakMemory;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/**
 * The routes of lists: of all jobs, of those that pass filters or are named, and of the tasks of a
 * job.
 */
final class JobListRoutes {

  private final RestBackend backend;
  private final JobProgressReader progress;

  JobListRoutes(RestBackend backend, JobProgressReader progress) {
    this.backend = backend;
    this.progress = progress;
  }

  void add(RouteHandlers routes) {
    routes
        .on(
            ApiRoute.JOBS,
            request -> list(JobListRequest.of(request.query().toMultiMap()), request.caller()))
        .on(
            ApiRoute.TASKS,
            request -> tasks(TaskListRequest.of(request.job(), request.query().toMultiMap())));
  }

  private CompletionStage<HttpResponse> list(JobListRequest request, Caller caller) {
    CompletionStage<Found> found =
        backend.query(reader -> Found.of(reader, request, caller.user()));
    if (!request.progress() && !request.peak()) {
      return found.thenApply(part -> part.answer(Map.of(), caller));
    }
    return found.thenCompose(
        part -> progress.of(part.rows()).thenApply(views -> part.answer(views, caller)));
  }

  private CompletionStage<HttpResponse> tasks(TaskListRequest request) {
    return backend
        .uses(request.query().job())
        .thenCompose(uses -> backend.query(reader -> tasks(request, uses, reader)));
  }

  private static HttpResponse tasks(
      TaskListRequest request, Map<Integer, TaskUse> uses, StoreReader reader) throws IOException {
    JobId job = request.query().job();
    if (reader.job(job).isEmpty()) {
      return JsonResponses.no(MissingJob.of(job, reader));
    }
    StoreReader.RowBatch<TaskRow> part = request.query().ask(reader);
    List<TaskRow> tasks = part.rows();
    JobSpec spec = reader.spec(job).orElse(null);
    Map<Integer, List<EarlierAttempt>> earlier =
        request.attempts() ? AttemptHistory.of(job, tasks, reader) : Map.of();
    return JsonResponses.ok(
        new TasksAnswer(
            tasks.stream()
                .map(
                    task ->
                        TaskAnswer.of(
                            task,
                            spec,
                            uses.get(task.id().index()),
                            earlier.get(task.id().index())))
                .toList(),
            part.more() ? tasks.get(tasks.size() - 1).id().index() + 1 : null));
  }

  /**
   * What the store knows of the jobs.
   *
   * @param specs what they asked for; empty if that is not to be told
   * @param peaks the most memory of those of which it is known; empty if that is not to be told
   * @param tasks the rows of the single tasks that are meant, of those that had a place
   */
  private record Found(
      Reply<SelectedJobs> jobs,
      JobListRequest request,
      Map<JobId, JobSpec> specs,
      Map<SelectedJobs.Selected, Long> peaks,
      Map<SelectedJobs.Selected, TaskRow> tasks) {

    private static Found of(StoreReader reader, JobListRequest request, String user)
        throws IOException {
      Reply<SelectedJobs> jobs = RequestedJobsFinder.find(reader, request, user);
      Found found = new Found(jobs, request, new HashMap<>(), new HashMap<>(), new HashMap<>());
      for (SelectedJobs.Selected one : found.selected()) {
        JobId id = one.row().id();
        if (request.terms()) {
          reader.spec(id).ifPresent(spec -> found.specs.put(id, spec));
        }
        if (one.task() != null) {
          reader.tasks(id, one.task(), 1).rows().stream()
              .filter(row -> row.id().index() == one.task())
              .forEach(row -> found.tasks.put(one, row));
        }
        if (request.peak()) {
          found.peaks.put(one, peak(one, reader));
        }
      }
      return found;
    }

    private static Long peak(SelectedJobs.Selected one, StoreReader reader) throws IOException {
      JobId id = one.row().id();
      return one.task() == null
          ? PeakMemory.of(id, reader)
          : PeakMemory.of(new TaskId(id, one.task()), reader);
    }

    private List<SelectedJobs.Selected> selected() {
      return jobs instanceof Reply.Yes<SelectedJobs> yes ? yes.value().jobs() : List.of();
    }

    private List<JobRow> rows() {
      return selected().stream().map(SelectedJobs.Selected::row).toList();
    }

    private HttpResponse answer(Map<JobId, LiveJobProgress> views, Caller caller) {
      return JsonResponses.of(
          jobs,
          some ->
              JsonResponses.ok(
                  new JobsAnswer(
                      some.jobs().stream().map(one -> answer(one, views, caller)).toList(),
                      some.next(),
                      true,
                      some.notes().isEmpty() ? null : some.notes())));
    }

    private ListedJobAnswer answer(
        SelectedJobs.Selected one, Map<JobId, LiveJobProgress> views, Caller caller) {
      boolean own = caller.mayActFor(one.row().user());
      LiveJobProgress view = views.get(one.row().id());
      JobAnswer job = JobAnswer.of(one.row(), own);
      JobAnswer whole = view == null || !request.progress() ? job : job.with(view);
      return ListedJobAnswer.of(
          one.task() == null
              ? whole
              : whole.task(
                  one.task(),
                  one.arrayIndex(),
                  tasks.get(one),
                  one.row().first(),
                  view == null ? null : view.uses().get(one.task())),
          specs.get(one.row().id()),
          request.peak()
              ? PeakMemory.higher(peaks.get(one), view == null ? null : view.peakBytes(one.task()))
              : null,
          own);
    }
  }
}
