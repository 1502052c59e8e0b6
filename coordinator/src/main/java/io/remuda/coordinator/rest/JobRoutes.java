package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.CoordinatorCommand.Action;
import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.CoordinatorCommand.WaitingTasks;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.rest.answer.ChangedJobAnswer;
import io.remuda.coordinator.rest.answer.ExplanationAnswer;
import io.remuda.coordinator.rest.channel.ChannelRoutes;
import io.remuda.coordinator.rest.output.OutputRoutes;
import io.remuda.coordinator.rest.query.QueryParameters;
import io.remuda.coordinator.rest.request.SubmissionReader;
import io.remuda.coordinator.rest.select.MissingJob;
import io.remuda.coordinator.rest.select.TaskListRequest;
import io.remuda.coordinator.rest.view.JobProgressReader;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.query.TaskQuery;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.AllDirectives;
import org.apache.pekko.http.javadsl.server.PathMatchers;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.http.javadsl.unmarshalling.Unmarshaller;

/** The routes of jobs: submission, queries and changes. */
final class JobRoutes extends AllDirectives {

  private final RestBackend backend;
  private final OutputRoutes output;
  private final SubmissionReader submissions;
  private final ChannelRoutes channels;
  private final JobBatchRoute batch;
  private final JobListRoutes lists;
  private final TaskListRoutes tasks;
  private final ResubmitAndUpdateRoutes changes;
  private final JobDetailsHandler lookup;
  private final JobSubmitter submitter;
  private final HistoryRoutes history;

  JobRoutes(
      RestBackend backend,
      OutputRoutes output,
      SubmissionReader submissions,
      HistoryRoutes history) {
    this.history = history;
    this.backend = backend;
    this.output = output;
    this.submissions = submissions;
    JobProgressReader progress = new JobProgressReader(backend);
    this.lookup = new JobDetailsHandler(backend, progress);
    this.lists = new JobListRoutes(backend, progress);
    this.tasks = new TaskListRoutes(backend);
    this.submitter = new JobSubmitter(backend);
    this.changes = new ResubmitAndUpdateRoutes(backend, submitter);
    this.channels = new ChannelRoutes(backend);
    this.batch = new JobBatchRoute(backend);
  }

  Route all(Caller caller) {
    return concat(
        pathEndOrSingleSlash(
            () ->
                concat(
                    post(
                        () ->
                            parameterOptional(
                                "dryRun",
                                dry ->
                                    entity(
                                        Unmarshaller.entityToByteArray(),
                                        body -> answer(submit(body, dry.isPresent(), caller))))),
                    get(() -> lists.all(caller)))),
        batch.of(caller),
        pathPrefix(PathMatchers.longSegment(), id -> job(jobId(id), caller)));
  }

  private static JobId jobId(long number) {
    return new JobId(number); // refuses 0
  }

  private CompletionStage<HttpResponse> submit(byte[] body, boolean dry, Caller caller) {
    return submitter.submit(submissions.read(body, caller.user()), dry, caller);
  }

  private Route job(JobId id, Caller caller) {
    return concat(
        pathEndOrSingleSlash(
            () ->
                get(
                    () ->
                        parameterOptional(
                            "progress",
                            with ->
                                parameterOptional(
                                    "limit",
                                    most ->
                                        answer(lookup.of(id, with.isPresent(), most, caller)))))),
        path("tasks", () -> get(() -> tasks.of(id))),
        pathPrefix("tasks", () -> path("cancel", () -> post(() -> cancelledWaiting(id, caller)))),
        pathPrefix(
            "tasks",
            () -> pathPrefix(PathMatchers.integerSegment(), index -> task(id, index, caller))),
        changes.of(id, caller),
        path("explain", () -> get(() -> answer(explain(id)))),
        path("waiting", () -> history.waiting(id)),
        path(
            "events",
            () ->
                get(
                    () ->
                        parameterOptional(
                            "after",
                            after ->
                                ifThere(
                                    id,
                                    () -> output.events(id, QueryParameters.number(after, 0)))))),
        path(
            "output",
            () ->
                get(
                    () ->
                        parameterOptional(
                            "after",
                            after ->
                                parameterOptional(
                                    "attempts",
                                    attempts ->
                                        ifThere(id, () -> output.follow(id, after, attempts)))))),
        path("logs", () -> get(() -> output.logs(id))),
        path("channel", () -> post(() -> channels.use(id, caller))),
        path("signal", () -> post(() -> channels.signals().send(id, null, caller))),
        path("cancel", () -> post(() -> cancelled(id, null, caller))),
        path(
            "requeue",
            () ->
                post(
                    () ->
                        parameterOptional(
                            "hold",
                            hold -> answer(change(id, null, requeue(hold), null, caller))))),
        path("hold", () -> post(() -> answer(change(id, null, Action.HOLD, null, caller)))),
        path("release", () -> post(() -> answer(change(id, null, Action.RELEASE, null, caller)))));
  }

  private Route task(JobId id, int index, Caller caller) {
    return concat(
        path("signal", () -> post(() -> channels.signals().send(id, index, caller))),
        path("cancel", () -> post(() -> cancelled(id, index, caller))),
        path("requeue", () -> post(() -> answer(change(id, index, Action.REQUEUE, null, caller)))));
  }

  private Route cancelled(JobId id, Integer task, Caller caller) {
    return parameterOptional(
        "now",
        now ->
            parameterOptional(
                "reason",
                reason ->
                    answer(change(id, task, cancel(now), QueryParameters.reason(reason), caller))));
  }

  /** Cancels tasks that have not started. */
  private Route cancelledWaiting(JobId id, Caller caller) {
    return parameterMultiMap(
        parameters -> {
          TaskQuery query = TaskListRequest.of(id, parameters).query();
          Optional<String> reason =
              parameters.getOrDefault("reason", List.of()).stream().findFirst();
          return answer(
              backend
                  .cancelWaiting(
                      id,
                      new WaitingTasks(query.states(), query.first(), query.end()),
                      QueryParameters.reason(reason),
                      caller)
                  .thenCompose(
                      reply ->
                          unlessOver(
                              id, reply, done -> JsonResponses.ok(ChangedJobAnswer.of(done)))));
        });
  }

  private <T> CompletionStage<HttpResponse> unlessOver(
      JobId id, Reply<T> reply, Function<T, HttpResponse> good) {
    return reply instanceof Reply.No<T> no && no.rejection().code() == Rejection.Code.NOT_FOUND
        ? changeOfOver(id, no.rejection(), null)
        : CompletableFuture.completedFuture(JsonResponses.of(reply, good));
  }

  private static Action cancel(Optional<String> now) {
    return now.isPresent() ? Action.CANCEL_NOW : Action.CANCEL;
  }

  private static Action requeue(Optional<String> hold) {
    return hold.isPresent() ? Action.REQUEUE_ON_HOLD : Action.REQUEUE;
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
      JobId id, Integer task, Action action, String reason, Caller caller) {
    return backend
        .change(id, task, action, reason, caller)
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

  /** Checks that the job exists before a stream begins, after which its status is fixed. */
  private Route ifThere(JobId id, Supplier<Route> stream) {
    return onSuccess(
        backend.query(
            reader ->
                reader.job(id).isPresent()
                    ? Optional.<HttpResponse>empty()
                    : Optional.of(noJob(id, reader))),
        missing -> missing.<Route>map(no -> complete(no)).orElseGet(stream));
  }

  private Route answer(CompletionStage<HttpResponse> response) {
    return completeWithFuture(response);
  }
}
