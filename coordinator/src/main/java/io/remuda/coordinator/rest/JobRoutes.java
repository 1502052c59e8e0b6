package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.CoordinatorCommand.Action;
import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.CoordinatorCommand.WaitingTasks;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.rest.answer.ChangedJobAnswer;
import io.remuda.coordinator.rest.answer.ExplanationAnswer;
import io.remuda.coordinator.rest.channel.ChannelRoutes;
import io.remuda.coordinator.rest.query.ApiRequest;
import io.remuda.coordinator.rest.query.QueryParameters;
import io.remuda.coordinator.rest.query.RouteHandlers;
import io.remuda.coordinator.rest.request.SubmissionReader;
import io.remuda.coordinator.rest.select.MissingJob;
import io.remuda.coordinator.rest.select.TaskListRequest;
import io.remuda.coordinator.rest.view.JobProgressReader;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.route.ApiRoute;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.query.TaskQuery;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** The routes of jobs: submission, queries and changes. */
final class JobRoutes {

  private final RestBackend backend;
  private final SubmissionReader submissions;
  private final JobSubmitter submitter;
  private final JobProgressReader progress;

  JobRoutes(RestBackend backend, SubmissionReader submissions) {
    this.backend = backend;
    this.submissions = submissions;
    this.submitter = new JobSubmitter(backend);
    this.progress = new JobProgressReader(backend);
  }

  void add(RouteHandlers routes) {
    JobDetailsHandler details = new JobDetailsHandler(backend, progress);
    new JobListRoutes(backend, progress).add(routes);
    new ResubmitAndUpdateRoutes(backend, submitter).add(routes);
    new ChannelRoutes(backend).add(routes);
    new JobBatchRoute(backend).add(routes);
    routes
        .on(ApiRoute.SUBMIT, this::submit)
        .on(
            ApiRoute.JOB,
            request ->
                details.of(
                    request.job(),
                    request.has("progress"),
                    request.query("limit"),
                    request.caller()))
        .on(ApiRoute.EXPLAIN, request -> explain(request.job()))
        .on(ApiRoute.CANCEL, request -> cancel(request, null))
        .on(ApiRoute.CANCEL_TASK, request -> cancel(request, request.task()))
        .on(ApiRoute.CANCEL_WAITING, this::cancelWaiting)
        .on(
            ApiRoute.REQUEUE,
            request ->
                change(
                    request,
                    null,
                    request.has("hold") ? Action.REQUEUE_ON_HOLD : Action.REQUEUE,
                    null))
        .on(ApiRoute.REQUEUE_TASK, request -> change(request, request.task(), Action.REQUEUE, null))
        .on(ApiRoute.HOLD, request -> change(request, null, Action.HOLD, null))
        .on(ApiRoute.RELEASE, request -> change(request, null, Action.RELEASE, null));
  }

  private CompletionStage<HttpResponse> submit(ApiRequest request) {
    Caller caller = request.caller();
    return submitter.submit(
        submissions.read(request.body(), caller.user()), request.has("dryRun"), caller);
  }

  private CompletionStage<HttpResponse> cancel(ApiRequest request, Integer task) {
    Action action = request.has("now") ? Action.CANCEL_NOW : Action.CANCEL;
    return change(request, task, action, request.reason());
  }

  /** Cancels tasks that have not started. */
  private CompletionStage<HttpResponse> cancelWaiting(ApiRequest request) {
    JobId id = request.job();
    Map<String, List<String>> parameters = request.query().toMultiMap();
    TaskQuery query = TaskListRequest.of(id, parameters).query();
    Optional<String> reason = parameters.getOrDefault("reason", List.of()).stream().findFirst();
    return backend
        .cancelWaiting(
            id,
            new WaitingTasks(query.states(), query.first(), query.end()),
            QueryParameters.reason(reason),
            request.caller())
        .thenCompose(
            reply -> unlessOver(id, reply, done -> JsonResponses.ok(ChangedJobAnswer.of(done))));
  }

  private <T> CompletionStage<HttpResponse> unlessOver(
      JobId id, Reply<T> reply, Function<T, HttpResponse> good) {
    return reply instanceof Reply.No<T> no && no.rejection().code() == Rejection.Code.NOT_FOUND
        ? changeOfOver(id, no.rejection(), null)
        : CompletableFuture.completedFuture(JsonResponses.of(reply, good));
  }

  private static HttpResponse noJob(JobId id, StoreReader reader) throws IOException {
    return JsonResponses.no(MissingJob.of(id, reader));
  }

  private CompletionStage<HttpResponse> explain(JobId id) {
    return backend
        .explain(id)
        .thenCompose(
            answer ->
                answer instanceof Reply.Yes<?>
                    ? CompletableFuture.completedFuture(
                        JsonResponses.of(
                            answer,
                            found ->
                                JsonResponses.ok(
                                    ExplanationAnswer.of(
                                        found, ZonedDateTime.now(ZoneId.systemDefault())))))
                    : overAlready(id));
  }

  private CompletionStage<HttpResponse> overAlready(JobId id) {
    return backend.query(
        reader ->
            reader
                .job(id)
                .map(row -> JsonResponses.ok(ExplanationAnswer.over(row)))
                .orElse(noJob(id, reader)));
  }

  private CompletionStage<HttpResponse> change(
      ApiRequest request, Integer task, Action action, String reason) {
    JobId id = request.job();
    return backend
        .change(id, task, action, reason, request.caller())
        .thenCompose(
            answer -> {
              boolean gone =
                  answer instanceof Reply.No<JobId> no
                      && no.rejection().code() == Rejection.Code.NOT_FOUND;
              return gone
                  ? changeOfOver(id, ((Reply.No<JobId>) answer).rejection(), again(id, action))
                  : changed(task, answer);
            });
  }

  private CompletionStage<HttpResponse> changed(Integer task, Reply<JobId> answer) {
    if (task == null || !(answer instanceof Reply.Yes<JobId> yes)) {
      return CompletableFuture.completedFuture(
          JsonResponses.of(
              answer, job -> JsonResponses.ok(ChangedJobAnswer.of(job.value(), null))));
    }
    JobId job = yes.value();
    return backend.query(
        reader ->
            JsonResponses.ok(
                ChangedJobAnswer.of(
                    job.value(),
                    reader
                        .spec(job)
                        .map(spec -> spec.terms().array().indexOf(task))
                        .orElse(null))));
  }

  /** Returns how a job runs again that is over, if that is what was wanted; else null. */
  private static String again(JobId id, Action action) {
    return action == Action.REQUEUE || action == Action.REQUEUE_ON_HOLD
        ? "submit it again: remuda resubmit " + id
        : null;
  }

  /**
   * @param no the refusal, which stands if the job has not ended, but its task is not there
   * @param advice what to do if the job is over, or null
   */
  private CompletionStage<HttpResponse> changeOfOver(JobId id, Rejection no, String advice) {
    return backend.query(
        reader ->
            reader
                .job(id)
                .map(
                    row ->
                        JsonResponses.no(
                            !row.state().isFinal()
                                ? no
                                : new Rejection(
                                    Rejection.Code.WRONG_STATE,
                                    "job " + id + " is over: " + row.state().label(),
                                    advice)))
                .orElse(noJob(id, reader)));
  }
}
