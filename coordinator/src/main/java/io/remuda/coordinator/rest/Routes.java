package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.cluster.NoLeaderHereException;
import io.remuda.coordinator.metrics.HttpRequestCounts;
import io.remuda.coordinator.rest.connection.RequestBodyStage;
import io.remuda.coordinator.rest.connection.RequestRateLimiter;
import io.remuda.coordinator.rest.query.ApiRequest;
import io.remuda.coordinator.rest.query.RouteHandlers;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.route.ApiRoute;
import io.remuda.coordinator.route.ApiRoute.Right.Token;
import io.remuda.coordinator.route.RouteMatch;
import io.remuda.coordinator.store.JournalWriter;
import io.remuda.coordinator.store.StateAwayException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.http.javadsl.server.AllDirectives;
import org.apache.pekko.http.javadsl.server.ExceptionHandler;
import org.apache.pekko.http.javadsl.server.MalformedRequestContentRejection;
import org.apache.pekko.http.javadsl.server.RejectionHandler;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.http.javadsl.unmarshalling.Unmarshaller;
import org.apache.pekko.http.scaladsl.model.Uri;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers requests by the rows of {@link ApiRoute}; openapi.json describes them. */
final class Routes extends AllDirectives {

  private static final Logger LOG = LoggerFactory.getLogger(Routes.class);
  private static final String BEARER = "Bearer ";
  private static final List<String> PREFIX = List.of("api", "v1");
  private static final String METRICS = ApiRoute.METRICS_PAGE.path().substring(1);
  private static final byte[] NOTHING = {};

  private static final String SEE_DOCUMENT = "GET /api/v1/openapi.json names all paths";

  private final UserTokenRegistry tokens;
  private final RequestRateLimiter ofUsers;
  private final RequestRateLimiter ofStrangers;
  private final Supplier<Optional<String>> trouble;
  private final MemberAndForwardingRoutes members;
  private final HttpRequestCounts requests;
  private final RouteHandlers handlers;

  /**
   * @param ofUsers limit for each user
   * @param ofStrangers limit for all requests without a valid token together
   */
  Routes(
      UserTokenRegistry tokens,
      RequestRateLimiter ofUsers,
      RequestRateLimiter ofStrangers,
      Supplier<Optional<String>> trouble,
      MemberAndForwardingRoutes members,
      HttpRequestCounts requests,
      RouteHandlers handlers) {
    this.tokens = tokens;
    this.ofUsers = ofUsers;
    this.ofStrangers = ofStrangers;
    this.trouble = trouble;
    this.members = members;
    this.requests = requests;
    this.handlers = handlers.requireAll();
  }

  Route all() {
    return extractRequest(
        request -> {
          RouteMatch match = match(request);
          return mapResponse(
              response -> {
                requests.count(match.label(), response.status().intValue());
                return response;
              },
              () -> guarded(() -> forClient(match, isBelow(parts(request)))));
        });
  }

  /** Looks up what a client sends. Only the paths of metrics are outside of the prefix. */
  private static RouteMatch match(HttpRequest request) {
    List<String> path = parts(request);
    boolean below = isBelow(path);
    RouteMatch match =
        RouteMatch.of(
            request.method().value(), below ? path.subList(PREFIX.size(), path.size()) : path);
    return below == isOfMetrics(match) ? RouteMatch.NONE : match;
  }

  /** Returns the decoded parts of a path; the last is empty if it ends in a slash. */
  private static List<String> parts(HttpRequest request) {
    List<String> parts = new ArrayList<>();
    Uri.Path path = request.getUri().asScala().path();
    while (!path.isEmpty()) {
      path = path.tail(); // a slash
      boolean named = path.startsWithSegment();
      parts.add(named ? (String) path.head() : "");
      path = named ? path.tail() : path;
    }
    return parts;
  }

  private static boolean isBelow(List<String> path) {
    return path.size() > PREFIX.size() && path.subList(0, PREFIX.size()).equals(PREFIX);
  }

  private static boolean isOfMetrics(RouteMatch match) {
    return match.label().equals(METRICS);
  }

  private Route guarded(Supplier<Route> inner) {
    return handleRejections(unread(), () -> handleExceptions(faults(), inner));
  }

  /**
   * @param below whether the path is below the prefix
   */
  private Route forClient(RouteMatch match, boolean below) {
    if (isOfMetrics(match)) {
      return authenticated(tokens::readerOf, caller -> answer(match, caller, false));
    }
    return !below || match.found().filter(route -> route.right().token() == Token.NONE).isPresent()
        ? answer(match, null, false)
        : authenticated(tokens::callerOf, caller -> forUser(match, caller));
  }

  /** Answers here, or has the leader answer if this member cannot. */
  private Route forUser(RouteMatch match, Caller caller) {
    return extractRequest(
        request ->
            members.answersHere(match.found(), request.getUri().query())
                ? members.here(caller, () -> answer(match, caller, false))
                : members.forward(caller));
  }

  /**
   * Returns the routes for a caller whom another member has authenticated. That member may not have
   * heard yet that the user was removed.
   */
  Route forwarded(Caller caller) {
    return extractRequest(
        request -> {
          List<String> path = parts(request);
          RouteMatch match =
              RouteMatch.of(request.method().value(), path.subList(PREFIX.size(), path.size()));
          boolean known = isOfMetrics(match) ? tokens.mayReadMetrics(caller) : tokens.knows(caller);
          return guarded(() -> known ? answer(match, caller, true) : complete(unauthorized()));
        });
  }

  private Route answer(RouteMatch match, Caller caller, boolean forwarded) {
    if (match.found().isEmpty()) {
      return complete(nothingThere(match));
    }
    ApiRoute route = match.found().get();
    String ownerOnly = route.right().ownerOnly();
    if (ownerOnly != null && !caller.mayAll()) {
      return complete(
          JsonResponses.no(
              Rejection.of(
                  Rejection.Code.NOT_YOURS, "only the owner of this server may " + ownerOnly)));
    }
    Function<byte[], Route> handler =
        body ->
            extractRequest(
                request ->
                    handlers.answer(
                        route, ApiRequest.of(caller, request, match.values(), body, forwarded)));
    return route.body() == ApiRoute.Body.NONE
        ? handler.apply(NOTHING)
        : withSizeLimit(
            route.body().bytes(), () -> entity(Unmarshaller.entityToByteArray(), handler));
  }

  private static HttpResponse nothingThere(RouteMatch match) {
    return match.methods().isEmpty()
        ? JsonResponses.error(
            StatusCodes.NOT_FOUND,
            "not-found",
            "there is no such path",
            match.near().map(path -> "did you mean " + path + "? ").orElse("") + SEE_DOCUMENT)
        : JsonResponses.error(
            StatusCodes.METHOD_NOT_ALLOWED,
            "wrong-method",
            "this path accepts only " + String.join(" or ", match.methods()),
            SEE_DOCUMENT);
  }

  private RejectionHandler unread() {
    return RejectionHandler.newBuilder()
        .handle(MalformedRequestContentRejection.class, unread -> failed(unread.getCause()))
        .build();
  }

  private Route authenticated(
      Function<String, Optional<Caller>> known, Function<Caller, Route> inner) {
    return optionalHeaderValueByName(
        "Authorization",
        header -> {
          Optional<Caller> caller =
              header
                  .filter(value -> value.startsWith(BEARER))
                  .flatMap(value -> known.apply(value.substring(BEARER.length()).trim()));
          boolean admitted =
              caller.map(one -> ofUsers.admits(one.user())).orElseGet(() -> ofStrangers.admits(""));
          return admitted
              ? caller.map(inner).orElseGet(() -> complete(unauthorized()))
              : complete(tooOften());
        });
  }

  private static HttpResponse unauthorized() {
    return JsonResponses.error(
        StatusCodes.UNAUTHORIZED,
        "unauthorized",
        "no valid token: this user was removed from the server, or has a newer access file",
        "ask the server's owner for an access file; over HTTP, send 'Authorization: Bearer TOKEN'"
            + " with its token");
  }

  private static HttpResponse tooOften() {
    return JsonResponses.error(
            StatusCodes.TOO_MANY_REQUESTS,
            "too-many-requests",
            "more requests than are answered in a second",
            "wait a second and ask less often; an array or a list of jobs is one request")
        .addHeader(RawHeader.create("Retry-After", "1"));
  }

  private ExceptionHandler faults() {
    return ExceptionHandler.newBuilder()
        .match(IllegalArgumentException.class, this::invalid)
        .match(CompletionException.class, fault -> failed(fault.getCause()))
        .matchAny(this::failed)
        .build();
  }

  private Route invalid(Throwable fault) {
    return complete(
        JsonResponses.no(Rejection.of(Rejection.Code.INVALID, String.valueOf(fault.getMessage()))));
  }

  private Route failed(Throwable fault) {
    if (fault instanceof IllegalArgumentException) {
      return invalid(fault);
    }
    if (fault instanceof RequestBodyStage.TooSlowException) {
      return complete(
          JsonResponses.error(
              StatusCodes.REQUEST_TIMEOUT, "too-slow", "there came " + fault.getMessage(), null));
    }
    if (fault instanceof RequestBodyStage.NoRoomException) {
      return complete(
          JsonResponses.error(
                  StatusCodes.SERVICE_UNAVAILABLE,
                  "busy",
                  "others send large bodies at present",
                  "try again, or send less at once")
              .addHeader(RawHeader.create("Retry-After", "1")));
    }
    if (fault instanceof NoLeaderHereException) {
      return complete(
          JsonResponses.no(
                  new Rejection(
                      Rejection.Code.NO_LEADER, fault.getMessage(), "send the request again"))
              .addHeader(RawHeader.create(ForwardedRequestHandler.LEADS_NO_MORE, "1")));
    }
    if (fault instanceof TimeoutException) {
      return members.isEnding()
          ? completeWithFuture(new CompletableFuture<>())
          : complete(tooLate());
    }
    if (fault.getCause() instanceof StateAwayException away) {
      return complete(
          JsonResponses.error(
                  StatusCodes.SERVICE_UNAVAILABLE,
                  "state-away",
                  "the state cannot be read now: " + away.getMessage(),
                  "running tasks go on; try again")
              .addHeader(RawHeader.create("Retry-After", "1")));
    }
    if (fault instanceof org.apache.pekko.http.scaladsl.model.EntityStreamSizeException) {
      return complete(
          JsonResponses.error(
              StatusCodes.PAYLOAD_TOO_LARGE, "too-large", "the body is too large", null));
    }
    LOG.error("a request failed", fault);
    return complete(
        JsonResponses.error(
            StatusCodes.INTERNAL_SERVER_ERROR, "fault", String.valueOf(fault.getMessage()), null));
  }

  /**
   * Returns the response after a timeout. A change that waits for the disk is not withdrawn: it is
   * done later, unless the server ends before.
   */
  private HttpResponse tooLate() {
    return trouble
        .get()
        .map(
            why ->
                JsonResponses.no(
                    new Rejection(
                        Rejection.Code.DISK,
                        "not done yet: the state cannot be written: " + why,
                        why.contains(JournalWriter.STANDS_STILL)
                            ? "look whether it was done once the disk goes on"
                            : "make room on the disk, then look whether it was done")))
        .orElseGet(
            () ->
                JsonResponses.error(
                    StatusCodes.SERVICE_UNAVAILABLE,
                    "busy",
                    "the server takes too long",
                    "try again"));
  }
}
