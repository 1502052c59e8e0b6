package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.LeaseView;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.rest.answer.LeaseAnswer;
import io.remuda.coordinator.rest.query.RouteHandlers;
import io.remuda.coordinator.rest.request.LeaseRequest;
import io.remuda.coordinator.rest.request.ReleaseLeaseRequest;
import io.remuda.coordinator.rest.request.RequestBodyParser;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.route.ApiRoute;
import io.remuda.worker.job.JobId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** The routes of leases, which are devices for running programs. Responses may wait for a grant. */
final class LeaseRoutes {

  private static final double USUAL_WAIT_SECONDS = 20;

  /** Longer waits are cut to this, because the server answers every request within 30 seconds. */
  private static final double MOST_WAIT_SECONDS = 20;

  private static final int MILLIS = 1000;

  private static final int MOST_ERROR = 16 << 10;

  private final RestBackend backend;

  LeaseRoutes(RestBackend backend) {
    this.backend = backend;
  }

  void add(RouteHandlers routes) {
    routes
        .on(ApiRoute.ASK_LEASE, request -> ask(request.body(), request.caller()))
        .on(
            ApiRoute.LEASE,
            request ->
                look(
                    request.job(),
                    millis(request.query("waitSeconds").map(LeaseRoutes::seconds)),
                    request.caller()))
        .on(
            ApiRoute.RELEASE_LEASE,
            request -> release(request.job(), request.body(), request.caller()));
  }

  private static Double seconds(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException wrong) {
      throw new IllegalArgumentException("waitSeconds is not a number: '" + text + "'", wrong);
    }
  }

  private static long millis(Optional<Double> wait) {
    double seconds = wait.orElse(USUAL_WAIT_SECONDS);
    if (!(seconds >= 0)) {
      throw new IllegalArgumentException("waitSeconds must be 0 or more, got " + seconds);
    }
    return (long) (MILLIS * Math.min(MOST_WAIT_SECONDS, seconds));
  }

  private CompletionStage<HttpResponse> ask(byte[] body, Caller caller) {
    LeaseRequest request = RequestBodyParser.read(body, LeaseRequest.class);
    return backend
        .askLease(request.toAsk(caller.user()), millis(Optional.ofNullable(request.waitSeconds())))
        .thenApply(
            answer -> JsonResponses.of(answer, lease -> JsonResponses.ok(LeaseAnswer.of(lease))));
  }

  private CompletionStage<HttpResponse> look(JobId lease, long millis, Caller caller) {
    return backend
        .lookAtLease(lease, caller, millis)
        .thenCompose(answer -> orOver(lease, answer, caller));
  }

  private CompletionStage<HttpResponse> release(JobId lease, byte[] body, Caller caller) {
    ReleaseLeaseRequest release = RequestBodyParser.read(body, ReleaseLeaseRequest.class);
    if (release.succeeded() == null) {
      throw new IllegalArgumentException("succeeded is missing: true or false");
    }
    boolean again = release.again() != null && release.again();
    return backend
        .giveLeaseBack(
            lease,
            release.attempt() == null ? 0 : release.attempt(),
            release.succeeded(),
            end(release.error()),
            again,
            caller)
        .thenCompose(answer -> orOver(lease, answer, caller));
  }

  private static String end(String error) {
    return error == null || error.length() <= MOST_ERROR
        ? error
        : error.substring(error.length() - MOST_ERROR);
  }

  /** Looks up a lease that the coordinator does not know in the store, which has ended ones. */
  private CompletionStage<HttpResponse> orOver(
      JobId lease, Reply<LeaseView> answer, Caller caller) {
    boolean gone =
        answer instanceof Reply.No<LeaseView> no
            && no.rejection().code() == Rejection.Code.NOT_FOUND;
    return gone
        ? backend.query(
            reader ->
                reader
                    .job(lease)
                    .filter(row -> row.state().isFinal())
                    .filter(row -> caller.mayActFor(row.user()))
                    .map(row -> JsonResponses.ok(LeaseAnswer.over(row)))
                    .orElseGet(() -> JsonResponses.no(((Reply.No<LeaseView>) answer).rejection())))
        : CompletableFuture.completedFuture(
            JsonResponses.of(answer, found -> JsonResponses.ok(LeaseAnswer.of(found))));
  }
}
