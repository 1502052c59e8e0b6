package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.AcceptedJobs;
import io.remuda.coordinator.api.CoordinatorCommand.Action;
import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.api.StoredJobs;
import io.remuda.coordinator.rest.answer.ChangedJobAnswer;
import io.remuda.coordinator.rest.answer.ExplanationAnswer;
import io.remuda.coordinator.rest.answer.JobAnswer;
import io.remuda.coordinator.rest.answer.JobDetailsAnswer;
import io.remuda.coordinator.rest.answer.SubmittedAnswer;
import io.remuda.coordinator.rest.answer.TaskAnswer;
import io.remuda.coordinator.rest.answer.TasksAnswer;
import io.remuda.coordinator.rest.channel.ChannelRoutes;
import io.remuda.coordinator.rest.output.OutputRoutes;
import io.remuda.coordinator.rest.request.QueryParameters;
import io.remuda.coordinator.rest.request.SubmissionReader;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.MissingJob;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.server.AllDirectives;
import org.apache.pekko.http.javadsl.server.PathMatchers;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.http.javadsl.unmarshalling.Unmarshaller;

/** The routes of jobs: submission, queries and changes. */
final class JobRoutes extends AllDirectives {

  /** Tasks that the answer about a job has; the others are asked for in parts. */
  private static final int SHOWN_TASKS = 100;

  private final RestBackend backend;
  private final OutputRoutes output;
  private final SubmissionReader submissions;
  private final ChannelRoutes channels;
  private final JobListRoutes lists;

  JobRoutes(RestBackend backend, OutputRoutes output, SubmissionReader submissions) {
    this.backend = backend;
    this.output = output;
    this.submissions = submissions;
    this.channels = new ChannelRoutes(backend);
    this.lists = new JobListRoutes(backend);
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
        pathPrefix(PathMatchers.longSegment(), id -> job(jobId(id), caller)));
  }

  private static JobId jobId(long number) {
    return new JobId(number); // refuses 0
  }

  private CompletionStage<HttpResponse> submit(byte[] body, boolean dry, Caller caller) {
    List<NewJob> jobs = submissions.read(body, caller.user());
    return ReferredJobs.areNone(jobs)
        ? submit(jobs, StoredJobs.NONE, dry)
        : backend
            .query(reader -> ReferredJobs.read(jobs, reader))
            .thenCompose(stored -> submit(jobs, stored, dry));
  }

  private CompletionStage<HttpResponse> submit(List<NewJob> jobs, StoredJobs stored, boolean dry) {
    CompletionStage<Reply<AcceptedJobs>> answer =
        dry ? backend.check(jobs, stored) : backend.submit(jobs, stored);
    return answer.thenApply(
        reply ->
            JsonResponses.of(
                reply,
                accepted ->
                    JsonResponses.json(
                        dry || accepted.known() ? StatusCodes.OK : StatusCodes.CREATED,
                        SubmittedAnswer.of(accepted.ids()))));
  }

  private Route job(JobId id, Caller caller) {
    return concat(
        pathEndOrSingleSlash(() -> get(() -> answer(show(id, caller)))),
        path(
            "tasks",
            () ->
                get(
                    () ->
                        parameterOptional(
                            "first",
                            first ->
                                parameterOptional(
                                    "limit",
                                    limit ->
                                        answer(
                                            tasks(
                                                id,
                                                QueryParameters.index(first),
                                                QueryParameters.rows(limit))))))),
        pathPrefix(
            "tasks",
            () -> pathPrefix(PathMatchers.integerSegment(), index -> task(id, index, caller))),
        path("explain", () -> get(() -> answer(explain(id)))),
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
        path(
            "cancel",
            () ->
                post(
                    () ->
                        parameterOptional(
                            "now", now -> answer(change(id, null, cancel(now), caller))))),
        path(
            "requeue",
            () ->
                post(
                    () ->
                        parameterOptional(
                            "hold", hold -> answer(change(id, null, requeue(hold), caller))))),
        path("hold", () -> post(() -> answer(change(id, null, Action.HOLD, caller)))),
        path("release", () -> post(() -> answer(change(id, null, Action.RELEASE, caller)))));
  }

  private Route task(JobId id, int index, Caller caller) {
    return concat(
        path(
            "cancel",
            () ->
                post(
                    () ->
                        parameterOptional(
                            "now", now -> answer(change(id, index, cancel(now), caller))))),
        path("requeue", () -> post(() -> answer(change(id, index, Action.REQUEUE, caller)))));
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

  static boolean isOf(Caller caller, JobRow job) {
    return caller.mayAll() || caller.user().equals(job.user());
  }

  private CompletionStage<HttpResponse> show(JobId id, Caller caller) {
    return backend.query(
        reader -> {
          Optional<JobRow> row = reader.job(id);
          if (row.isEmpty()) {
            return noJob(id, reader);
          }
          boolean own = isOf(caller, row.get());
          StoreReader.RowBatch<TaskRow> first = reader.tasks(id, 0, SHOWN_TASKS);
          JobSpec spec = reader.spec(id).orElse(null);
          return JsonResponses.ok(
              JobDetailsAnswer.of(
                  JobAnswer.of(row.get(), own),
                  spec,
                  first.rows().stream().map(task -> TaskAnswer.of(task, spec)).toList(),
                  first.more(),
                  own));
        });
  }

  private CompletionStage<HttpResponse> tasks(JobId id, int first, int limit) {
    return backend.query(
        reader ->
            reader.job(id).isEmpty()
                ? noJob(id, reader)
                : JsonResponses.ok(
                    page(reader.tasks(id, first, limit), reader.spec(id).orElse(null))));
  }

  private static TasksAnswer page(StoreReader.RowBatch<TaskRow> part, JobSpec spec) {
    List<TaskRow> tasks = part.rows();
    return new TasksAnswer(
        tasks.stream().map(row -> TaskAnswer.of(row, spec)).toList(),
        part.more() ? tasks.get(tasks.size() - 1).id().index() + 1 : null);
  }

  private CompletionStage<HttpResponse> explain(JobId id) {
    return backend
        .explain(id)
        .thenCompose(
            answer ->
                answer instanceof Reply.Yes<?>
                    ? CompletableFuture.completedFuture(
                        JsonResponses.of(
                            answer, found -> JsonResponses.ok(ExplanationAnswer.of(found))))
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
      JobId id, Integer task, Action action, Caller caller) {
    return backend
        .change(id, task, action, caller)
        .thenCompose(
            answer -> {
              boolean gone =
                  answer instanceof Reply.No<JobId> no
                      && no.rejection().code() == Rejection.Code.NOT_FOUND;
              return gone
                  ? changeOfOver(id)
                  : CompletableFuture.completedFuture(
                      JsonResponses.of(
                          answer, job -> JsonResponses.ok(new ChangedJobAnswer(job.value()))));
            });
  }

  private CompletionStage<HttpResponse> changeOfOver(JobId id) {
    return backend.query(
        reader ->
            reader
                .job(id)
                .map(
                    row ->
                        JsonResponses.no(
                            Rejection.of(
                                Rejection.Code.WRONG_STATE,
                                "job " + id + " is over: " + row.state().label())))
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
