package io.remuda.coordinator.rest;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.parameterMultiMap;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.JobView;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.rest.answer.JobAnswer;
import io.remuda.coordinator.rest.answer.list.JobsAnswer;
import io.remuda.coordinator.rest.answer.list.ListedJobAnswer;
import io.remuda.coordinator.rest.select.JobListRequest;
import io.remuda.coordinator.rest.select.JobSelection;
import io.remuda.coordinator.rest.select.SelectedJobs;
import io.remuda.coordinator.rest.view.JobProgress;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;

/** The route of lists of jobs: all of them, those that pass filters, or those that are named. */
final class JobListRoutes {

  private final RestBackend backend;
  private final JobProgress progress;

  JobListRoutes(RestBackend backend, JobProgress progress) {
    this.backend = backend;
    this.progress = progress;
  }

  Route all(Caller caller) {
    return parameterMultiMap(
        parameters -> completeWithFuture(list(JobListRequest.of(parameters), caller)));
  }

  private CompletionStage<HttpResponse> list(JobListRequest request, Caller caller) {
    CompletionStage<Found> found =
        backend.query(reader -> Found.of(reader, request, caller.user()));
    if (!request.progress()) {
      return found.thenApply(part -> part.answer(Map.of(), caller));
    }
    return found.thenCompose(
        part -> progress.of(part.rows()).thenApply(views -> part.answer(views, caller)));
  }

  /**
   * What the store knows of the jobs.
   *
   * @param specs what they asked for; empty if that is not to be told
   */
  private record Found(Reply<SelectedJobs> jobs, Map<JobId, JobSpec> specs) {

    private static Found of(StoreReader reader, JobListRequest request, String user)
        throws IOException {
      Found found = new Found(JobSelection.find(reader, request, user), new HashMap<>());
      if (request.terms()) {
        for (JobRow row : found.rows()) {
          reader.spec(row.id()).ifPresent(spec -> found.specs.put(row.id(), spec));
        }
      }
      return found;
    }

    private List<JobRow> rows() {
      return jobs instanceof Reply.Yes<SelectedJobs> yes
          ? yes.value().jobs().stream().map(SelectedJobs.Selected::row).toList()
          : List.of();
    }

    private HttpResponse answer(Map<JobId, JobView> views, Caller caller) {
      return JsonResponses.of(jobs, some -> page(some, views, specs, caller));
    }
  }

  private static HttpResponse page(
      SelectedJobs jobs, Map<JobId, JobView> views, Map<JobId, JobSpec> specs, Caller caller) {
    return JsonResponses.ok(
        new JobsAnswer(
            jobs.jobs().stream()
                .map(
                    one ->
                        ListedJobAnswer.of(
                            answer(one, views, caller),
                            specs.get(one.row().id()),
                            caller.mayActFor(one.row().user())))
                .toList(),
            jobs.next(),
            true,
            jobs.notes().isEmpty() ? null : jobs.notes()));
  }

  private static JobAnswer answer(
      SelectedJobs.Selected one, Map<JobId, JobView> views, Caller caller) {
    JobAnswer job =
        JobAnswer.of(one.row(), caller.mayActFor(one.row().user()))
            .task(one.task(), one.arrayIndex());
    JobView view = views.get(one.row().id());
    return view == null ? job : job.with(view);
  }
}
