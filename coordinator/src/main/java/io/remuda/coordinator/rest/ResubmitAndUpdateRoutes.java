package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.JobTermsChange;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.ReferencedStoredJobs;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.rest.answer.ChangedJobAnswer;
import io.remuda.coordinator.rest.query.RouteHandlers;
import io.remuda.coordinator.rest.request.ChangeFields;
import io.remuda.coordinator.rest.request.RequestBodyParser;
import io.remuda.coordinator.rest.request.ResubmitRequest;
import io.remuda.coordinator.rest.select.MissingJob;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.route.ApiRoute;
import io.remuda.worker.job.JobId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** The routes by which a job is submitted again, and by which its terms change. */
final class ResubmitAndUpdateRoutes {

  private static final byte[] NOTHING = {'{', '}'};

  private final RestBackend backend;
  private final JobSubmitter submitter;

  ResubmitAndUpdateRoutes(RestBackend backend, JobSubmitter submitter) {
    this.backend = backend;
    this.submitter = submitter;
  }

  void add(RouteHandlers routes) {
    routes
        .on(
            ApiRoute.RESUBMIT,
            request ->
                resubmit(request.job(), request.body(), request.has("dryRun"), request.caller()))
        .on(ApiRoute.SET, request -> set(request.job(), request.body(), request.caller()));
  }

  private CompletionStage<HttpResponse> resubmit(
      JobId id, byte[] content, boolean dry, Caller caller) {
    ResubmitRequest request =
        RequestBodyParser.read(content.length == 0 ? NOTHING : content, ResubmitRequest.class);
    return backend
        .query(reader -> JobResubmission.of(id, request, caller, reader))
        .thenCompose(
            jobs ->
                jobs instanceof Reply.Yes<List<NewJob>> yes
                    ? submitter.submit(yes.value(), dry, caller)
                    : CompletableFuture.completedFuture(
                        JsonResponses.of(jobs, none -> JsonResponses.ok(none))));
  }

  private CompletionStage<HttpResponse> set(JobId id, byte[] content, Caller caller) {
    JobTermsChange change = ChangeFields.read(content, caller.user());
    List<NewJob> wanted = List.of(change.wanted());
    return ReferencedJobsReader.areNone(wanted)
        ? set(id, change, ReferencedStoredJobs.NONE, caller)
        : backend
            .query(reader -> ReferencedJobsReader.read(wanted, reader))
            .thenCompose(
                read ->
                    read instanceof Reply.Yes<ReferencedJobsReader.NumberedJobs> yes
                        ? set(
                            id,
                            new JobTermsChange(yes.value().jobs().get(0), change.fields()),
                            yes.value().stored(),
                            caller)
                        : CompletableFuture.completedFuture(
                            JsonResponses.of(read, none -> JsonResponses.ok(none))));
  }

  private CompletionStage<HttpResponse> set(
      JobId id, JobTermsChange change, ReferencedStoredJobs stored, Caller caller) {
    return backend
        .set(id, change, stored, caller)
        .thenCompose(
            reply -> {
              boolean gone =
                  reply instanceof Reply.No<?> no
                      && no.rejection().code() == Rejection.Code.NOT_FOUND;
              return gone
                  ? ofOver(id)
                  : CompletableFuture.completedFuture(
                      JsonResponses.of(
                          reply,
                          set ->
                              JsonResponses.ok(
                                  ChangedJobAnswer.ofTerms(set.job().value(), set.ending()))));
            });
  }

  private CompletionStage<HttpResponse> ofOver(JobId id) {
    return backend.query(
        reader ->
            JsonResponses.no(
                reader.job(id).isEmpty()
                    ? MissingJob.of(id, reader)
                    : new Rejection(
                        Rejection.Code.WRONG_STATE,
                        "job " + id + " is over: " + reader.job(id).get().state().label(),
                        "submit it again with other terms: remuda resubmit " + id)));
  }
}
