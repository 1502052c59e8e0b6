package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.cluster.ForwardedAnswer;
import io.remuda.coordinator.cluster.KnownLeader;
import io.remuda.coordinator.cluster.MembershipPort;
import io.remuda.coordinator.cluster.NoLeaderHereException;
import io.remuda.coordinator.cluster.NotReadyReason;
import io.remuda.coordinator.cluster.RequestForwarder;
import io.remuda.coordinator.rest.answer.ClusterAnswer;
import io.remuda.coordinator.rest.query.RouteHandlers;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.route.ApiRoute;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.Query;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.http.javadsl.server.AllDirectives;
import org.apache.pekko.http.javadsl.server.ExceptionHandler;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.http.javadsl.unmarshalling.Unmarshaller;

/** The routes about the members of a cluster, and the way from a member to the leader. */
final class MemberAndForwardingRoutes extends AllDirectives {

  private static final String PREFIX = "/api/v1";

  /** Longer than the arrival of a body may take, which has its own limit. */
  private static final Duration BODY_PATIENCE = Duration.ofSeconds(60);

  /** What fits into a message between coordinators even if it cannot be compressed. */
  private static final int MOST_FORWARDED = 8 << 20;

  private final RestBackend backend;
  private final KnownLeader leader;
  private final MembershipPort membership;
  private final String store;

  /** Whether there are other members, as the cluster's file says. */
  private final boolean inCluster;

  /**
   * @param store name of the database
   */
  MemberAndForwardingRoutes(
      RestBackend backend, KnownLeader leader, MembershipPort membership, String store) {
    this.backend = backend;
    this.leader = leader;
    this.membership = membership;
    this.store = store;
    this.inCluster = membership.members().size() > 1;
  }

  /**
   * Returns whether this member answers a request itself.
   *
   * @param route empty for what this build does not know: the leader may be of a later one
   * @param query the parameters: only the leader knows the progress of jobs
   */
  boolean answersHere(Optional<ApiRoute> route, Query query) {
    return backend.leads()
        || switch (route.map(ApiRoute::place).orElse(ApiRoute.Place.LEADER)) {
          case HERE -> true;
          case MEMBER -> backend.knowsLeader() && query.get("progress").isEmpty();
          case LEADER -> false;
        };
  }

  /**
   * Answers by other routes, in this process. If its coordinator ceases to lead meanwhile, the next
   * leader answers.
   */
  Route here(Caller caller, Supplier<Route> inner) {
    if (!inCluster) {
      return inner.get();
    }
    ExceptionHandler left =
        ExceptionHandler.newBuilder()
            .match(
                NoLeaderHereException.class,
                fault -> forward(caller, RequestForwarder.Attempt.REPEATED))
            .match(
                CompletionException.class,
                fault -> fault.getCause() instanceof NoLeaderHereException,
                fault -> forward(caller, RequestForwarder.Attempt.REPEATED))
            .build();
    return toStrictEntity(
        BODY_PATIENCE, ApiRoute.Body.LARGE.bytes(), () -> handleExceptions(left, inner));
  }

  /**
   * Returns whether this process of a cluster ends: a request without an answer is then left
   * without one, so that the client, whose connection closes, asks another member.
   */
  boolean isEnding() {
    return inCluster && CoordinatedShutdown.get(backend.system()).getShutdownReason().isPresent();
  }

  /** Has the leader answer. */
  Route forward(Caller caller) {
    return forward(caller, RequestForwarder.Attempt.FIRST);
  }

  private Route forward(Caller caller, RequestForwarder.Attempt attempt) {
    return extractRequest(
        request ->
            entity(
                Unmarshaller.entityToByteArray(),
                body -> completeWithFuture(forward(caller, request, body, attempt))));
  }

  private CompletionStage<HttpResponse> forward(
      Caller caller, HttpRequest request, byte[] body, RequestForwarder.Attempt attempt) {
    if (body.length > MOST_FORWARDED) {
      return CompletableFuture.completedFuture(
          JsonResponses.error(
              StatusCodes.PAYLOAD_TOO_LARGE,
              "too-large",
              "only the leader takes a request of more than 8 MiB, and this coordinator does not"
                  + " lead",
              "send it to the one that leads (remuda cluster), or submit fewer jobs at once"));
    }
    String path = request.getUri().getPathString().substring(PREFIX.length());
    String query = request.getUri().rawQueryString().map(raw -> "?" + raw).orElse("");
    return backend
        .forward(caller, request.method().value(), path + query, body, attempt)
        .thenApply(reply -> JsonResponses.of(reply, MemberAndForwardingRoutes::response));
  }

  private static HttpResponse response(ForwardedAnswer answer) {
    List<HttpHeader> headers = new ArrayList<>();
    for (Map.Entry<String, String> header : answer.headers().entrySet()) {
      headers.add(RawHeader.create(header.getKey(), header.getValue()));
    }
    HttpResponse response = HttpResponse.create().withStatus(answer.status()).addHeaders(headers);
    return answer.type().equals("application/json")
        ? response.withEntity(ContentTypes.APPLICATION_JSON, answer.body())
        : response.withEntity(ContentTypes.APPLICATION_OCTET_STREAM, answer.body());
  }

  /** For load balancers and service managers, which have no token. */
  private HttpResponse ready() {
    Optional<String> why = membership.notReady().map(NotReadyReason::what);
    return JsonResponses.json(
        why.isEmpty() ? StatusCodes.OK : StatusCodes.SERVICE_UNAVAILABLE,
        new ClusterAnswer.ReadyAnswer(why.isEmpty(), membership.self(), why.orElse(null)));
  }

  void add(RouteHandlers routes) {
    routes
        .onNow(ApiRoute.READY, request -> ready())
        .onNow(ApiRoute.CLUSTER, request -> cluster())
        .onNow(ApiRoute.HAND_OVER, request -> handOver());
  }

  /** Refuses to end the tasks of a cluster by way of one of its members. */
  Optional<HttpResponse> refusalToStop(ServerStopMode how) {
    return inCluster && how != ServerStopMode.TASKS_RUN_ON
        ? Optional.of(
            JsonResponses.no(
                new Rejection(
                    Rejection.Code.WRONG_STATE,
                    "the tasks of a cluster do not end with one of its coordinators",
                    "cancel jobs first; remuda stop --keep ends this coordinator")))
        : Optional.empty();
  }

  private HttpResponse cluster() {
    return JsonResponses.ok(ClusterAnswer.of(membership, leader.notice().orElse(null), store));
  }

  private HttpResponse handOver() {
    return membership
        .handOver()
        .map(why -> JsonResponses.no(Rejection.of(Rejection.Code.WRONG_STATE, why)))
        .orElseGet(() -> JsonResponses.ok(new ClusterAnswer.HandedOverAnswer(membership.self())));
  }
}
