package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.AcceptedJobs;
import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.ReferencedStoredJobs;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.rest.ReferencedJobsReader.NumberedJobs;
import io.remuda.coordinator.rest.answer.SubmittedAnswer;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;

/** Submits jobs that a request describes, with what the store knows of those they refer to. */
final class JobSubmitter {

  private final RestBackend backend;

  JobSubmitter(RestBackend backend) {
    this.backend = backend;
  }

  /**
   * Submits all of the jobs, or none.
   *
   * @param dry whether it is only answered whether they would be accepted, and what they would be
   */
  CompletionStage<HttpResponse> submit(List<NewJob> jobs, boolean dry, Caller caller) {
    return ReferencedJobsReader.areNone(jobs)
        ? submit(new NumberedJobs(jobs, ReferencedStoredJobs.NONE), dry, caller)
        : backend
            .query(reader -> ReferencedJobsReader.read(jobs, reader))
            .thenCompose(
                read ->
                    read instanceof Reply.Yes<NumberedJobs> yes
                        ? submit(yes.value(), dry, caller)
                        : CompletableFuture.completedFuture(
                            JsonResponses.of(read, none -> JsonResponses.ok(none))));
  }

  private CompletionStage<HttpResponse> submit(NumberedJobs numbered, boolean dry, Caller caller) {
    List<NewJob> jobs = numbered.jobs();
    CompletionStage<Reply<AcceptedJobs>> answer =
        dry
            ? backend.check(jobs, numbered.stored(), caller)
            : backend.submit(jobs, numbered.stored(), caller);
    return answer.thenApply(
        reply ->
            JsonResponses.of(
                reply,
                accepted ->
                    JsonResponses.json(
                        dry || accepted.known() ? StatusCodes.OK : StatusCodes.CREATED,
                        dry ? SubmittedAnswer.planned(jobs) : SubmittedAnswer.of(accepted.ids()))));
  }
}
