package io.remuda.coordinator.rest;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.parameterMultiMap;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.JobView;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.rest.answer.JobAnswer;
import io.remuda.coordinator.rest.answer.JobsAnswer;
import io.remuda.coordinator.rest.select.JobListRequest;
import io.remuda.coordinator.rest.select.JobSelection;
import io.remuda.coordinator.rest.select.SelectedJobs;
import io.remuda.coordinator.rest.view.JobProgress;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.JobId;
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
    CompletionStage<Reply<SelectedJobs>> found =
        backend.query(reader -> JobSelection.find(reader, request, caller.user()));
    if (!request.progress()) {
      return found.thenApply(
          reply -> JsonResponses.of(reply, jobs -> answer(jobs, Map.of(), caller)));
    }
    return found.thenCompose(
        reply ->
            progress
                .of(reply instanceof Reply.Yes<SelectedJobs> yes ? rows(yes.value()) : List.of())
                .thenApply(views -> JsonResponses.of(reply, jobs -> answer(jobs, views, caller))));
  }

  private static List<JobRow> rows(SelectedJobs jobs) {
    return jobs.jobs().stream().map(SelectedJobs.Selected::row).toList();
  }

  private static HttpResponse answer(SelectedJobs jobs, Map<JobId, JobView> views, Caller caller) {
    return JsonResponses.ok(
        new JobsAnswer(
            jobs.jobs().stream().map(one -> answer(one, views, caller)).toList(),
            jobs.next(),
            true,
            jobs.notes().isEmpty() ? null : jobs.notes()));
  }

  private static JobAnswer answer(
      SelectedJobs.Selected one, Map<JobId, JobView> views, Caller caller) {
    JobAnswer job =
        JobAnswer.of(one.row(), JobRoutes.isOf(caller, one.row()))
            .task(one.task(), one.arrayIndex());
    JobView view = views.get(one.row().id());
    return view == null ? job : job.with(view);
  }
}
