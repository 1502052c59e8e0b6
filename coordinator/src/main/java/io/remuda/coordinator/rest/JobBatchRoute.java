package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.JobNumbers;
import io.remuda.coordinator.api.JobsChanged;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.rest.answer.ChangedJobsAnswer;
import io.remuda.coordinator.rest.query.QueryParameters;
import io.remuda.coordinator.rest.query.RouteHandlers;
import io.remuda.coordinator.rest.request.RequestBodyParser;
import io.remuda.coordinator.rest.request.batch.JobBatchRequest;
import io.remuda.coordinator.rest.select.MissingJob;
import io.remuda.coordinator.rest.select.TaskNumberLookup;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.route.ApiRoute;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** The route by which many jobs and tasks change at once. */
final class JobBatchRoute {

  private final RestBackend backend;

  JobBatchRoute(RestBackend backend) {
    this.backend = backend;
  }

  void add(RouteHandlers routes) {
    routes.on(ApiRoute.CHANGE_JOBS, request -> change(request.body(), request.caller()));
  }

  private CompletionStage<HttpResponse> change(byte[] body, Caller caller) {
    JobBatchRequest request = RequestBodyParser.read(body, JobBatchRequest.class);
    return change(request, JobNumbers.of(request.jobs()), caller)
        .thenCompose(
            reply ->
                reply instanceof Reply.Yes<JobsChanged> yes && !yes.value().gone().isEmpty()
                    ? withTasks(yes.value(), request, caller)
                    : CompletableFuture.completedFuture(reply))
        .thenCompose(
            reply ->
                reply instanceof Reply.Yes<JobsChanged> yes
                    ? backend.query(reader -> JsonResponses.ok(answer(yes.value(), reader)))
                    : CompletableFuture.completedFuture(
                        JsonResponses.of(reply, none -> JsonResponses.ok(none))));
  }

  private CompletionStage<Reply<JobsChanged>> change(
      JobBatchRequest request, JobNumbers jobs, Caller caller) {
    return backend.changeAll(
        jobs,
        request.meant(),
        QueryParameters.reason(Optional.ofNullable(request.reason())),
        caller);
  }

  /** Changes the tasks, too, whose own numbers are among those of which there is no live job. */
  private CompletionStage<Reply<JobsChanged>> withTasks(
      JobsChanged done, JobBatchRequest request, Caller caller) {
    return backend
        .query(reader -> TaskNumberLookup.all(reader, done.gone()))
        .thenCompose(
            tasks ->
                tasks.isEmpty()
                    ? CompletableFuture.completedFuture(Reply.of(done))
                    : change(request, new JobNumbers(List.copyOf(tasks.values())), caller)
                        .thenApply(
                            reply ->
                                reply instanceof Reply.Yes<JobsChanged> yes
                                    ? Reply.of(done.with(tasks, yes.value()))
                                    : reply));
  }

  /** Tells those that have ended from those that never were. */
  private static ChangedJobsAnswer answer(JobsChanged done, StoreReader reader) throws IOException {
    int over = 0;
    List<Rejection> missing = new ArrayList<>();
    for (JobId job : done.gone()) {
      if (reader.job(job).isPresent() || reader.isRemoved(job)) {
        over++;
      } else {
        missing.add(MissingJob.of(job, reader));
      }
    }
    return ChangedJobsAnswer.of(done, over, missing);
  }
}
