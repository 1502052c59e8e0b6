package io.remuda.coordinator.rest;

import io.remuda.agent.protocol.BuildVersion;
import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.cluster.NoLeaderHereException;
import io.remuda.coordinator.metrics.HttpRequestCounts;
import io.remuda.coordinator.rest.answer.VersionAnswer;
import io.remuda.coordinator.rest.connection.RequestBodyStage;
import io.remuda.coordinator.rest.connection.RequestRateLimiter;
import io.remuda.coordinator.rest.output.OutputRoutes;
import io.remuda.coordinator.rest.query.QueryParameters;
import io.remuda.coordinator.rest.request.RequestLimits;
import io.remuda.coordinator.rest.request.SubmissionReader;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.store.JournalWriter;
import io.remuda.coordinator.store.StateAwayException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.http.javadsl.server.AllDirectives;
import org.apache.pekko.http.javadsl.server.ExceptionHandler;
import org.apache.pekko.http.javadsl.server.MalformedRequestContentRejection;
import org.apache.pekko.http.javadsl.server.MethodRejection;
import org.apache.pekko.http.javadsl.server.RejectionHandler;
import org.apache.pekko.http.javadsl.server.Route;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All routes of the HTTP interface; openapi.json describes them. */
final class Routes extends AllDirectives {

  private static final Logger LOG = LoggerFactory.getLogger(Routes.class);
  private static final String BEARER = "Bearer ";

  private static final String SEE_DOCUMENT = "GET /api/v1/openapi.json names all paths";

  private final UserTokenRegistry tokens;
  private final RequestRateLimiter ofUsers;
  private final RequestRateLimiter ofStrangers;
  private final Supplier<Optional<String>> trouble;
  private final NodeAndServerRoutes server;
  private final UserRoutes users;
  private final JobTypeProfileRoutes profiles;
  private final LeaseRoutes leases;
  private final UsageRoutes usage;
  private final TopCommandRoutes top;
  private final OutputRoutes output;
  private final JobRoutes jobs;
  private final MemberAndForwardingRoutes members;
  private final HistoryRoutes history;
  private final LiveRoutes live;
  private final MetricsRoutes metrics;
  private final MetricsTokenRoutes metricsToken;
  private final HttpRequestCounts requests;
  private final byte[] openApi;

  /**
   * @param ofUsers limit for each user
   * @param ofStrangers limit for all requests without a valid token together
   */
  Routes(
      RestBackend backend,
      UserTokenRegistry tokens,
      RequestRateLimiter ofUsers,
      RequestRateLimiter ofStrangers,
      Supplier<Optional<String>> trouble,
      RestServer.Owner owner,
      SubmissionReader submissions,
      MemberAndForwardingRoutes members,
      HistoryRoutes history,
      UsageRoutes usage,
      LiveRoutes live,
      MetricsRoutes metrics,
      HttpRequestCounts requests,
      byte[] openApi) {
    this.tokens = tokens;
    this.ofUsers = ofUsers;
    this.ofStrangers = ofStrangers;
    this.trouble = trouble;
    this.server = new NodeAndServerRoutes(backend, owner);
    this.users = new UserRoutes(backend, tokens);
    this.output = new OutputRoutes(backend);
    this.profiles = new JobTypeProfileRoutes(backend);
    this.leases = new LeaseRoutes(backend);
    this.usage = usage;
    this.top = new TopCommandRoutes(backend);
    this.jobs = new JobRoutes(backend, output, submissions, history);
    this.members = members;
    this.history = history;
    this.live = live;
    this.metrics = metrics;
    this.metricsToken = new MetricsTokenRoutes(backend, tokens);
    this.requests = requests;
    this.openApi = openApi;
  }

  Route all() {
    return extractRequest(
        request ->
            mapResponse(
                response -> {
                  requests.count(request.getUri().path(), response.status().intValue());
                  return response;
                },
                () ->
                    handleRejections(
                        nothingThere(), () -> handleExceptions(faults(), this::forClients))));
  }

  private Route forClients() {
    return concat(
        pathPrefix(
            "api",
            () ->
                pathPrefix(
                    "v1",
                    () ->
                        concat(
                            path("version", () -> get(() -> complete(version()))),
                            path("openapi.json", () -> get(() -> complete(openApi()))),
                            path("ready", () -> get(() -> complete(members.ready()))),
                            authenticated(tokens::callerOf, this::answered)))),
        pathPrefix(MetricsRoutes.PATH, () -> authenticated(tokens::readerOf, metrics::all)));
  }

  /**
   * Returns the routes for a caller whom another member has authenticated. That member may not have
   * heard yet that the user was removed.
   */
  Route forwarded(Caller caller) {
    return handleRejections(
        nothingThere(),
        () ->
            handleExceptions(
                faults(),
                () ->
                    pathPrefix(
                        "api",
                        () ->
                            pathPrefix(
                                "v1",
                                () ->
                                    concat(
                                        pathPrefix(
                                            MetricsRoutes.PATH,
                                            () ->
                                                tokens.mayReadMetrics(caller)
                                                    ? metrics.forwarded()
                                                    : complete(unauthorized())),
                                        tokens.knows(caller)
                                            ? forCaller(caller)
                                            : complete(unauthorized()))))));
  }

  /** Answers here, or has the leader answer if this member cannot. */
  private Route answered(Caller caller) {
    return extractUnmatchedPath(
        path ->
            extractRequest(
                request ->
                    members.answersHere(request.method().value(), path, request.getUri().query())
                        ? members.here(caller, () -> forCaller(caller))
                        : members.forward(caller)));
  }

  private RejectionHandler nothingThere() {
    return RejectionHandler.newBuilder()
        .handleAll(
            MethodRejection.class,
            others ->
                complete(
                    JsonResponses.error(
                        StatusCodes.METHOD_NOT_ALLOWED,
                        "wrong-method",
                        "this path wants "
                            + others.stream()
                                .map(other -> other.supported().value())
                                .collect(Collectors.joining(" or ")),
                        SEE_DOCUMENT)))
        .handle(MalformedRequestContentRejection.class, unread -> failed(unread.getCause()))
        .handleNotFound(
            complete(
                JsonResponses.error(
                    StatusCodes.NOT_FOUND, "not-found", "there is no such path", SEE_DOCUMENT)))
        .build();
  }

  private static HttpResponse version() {
    return JsonResponses.ok(new VersionAnswer(BuildVersion.VERSION, "v1"));
  }

  private HttpResponse openApi() {
    return HttpResponse.create().withEntity(ContentTypes.APPLICATION_JSON, openApi);
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

  private Route forCaller(Caller caller) {
    return concat(
        pathPrefix("jobs", () -> jobs.all(caller)),
        pathPrefix("nodes", () -> server.nodes(caller)),
        pathPrefix("leases", () -> small(() -> leases.all(caller))),
        pathPrefix("profiles", () -> small(() -> profiles.all(caller))),
        path("usage", () -> usage.look(caller)),
        path("waste", () -> usage.waste(caller)),
        path("top", top::look),
        path("history", history::look),
        path("timeline", history::timeline),
        pathPrefix("live", () -> live.all(caller)),
        pathPrefix("cluster", () -> members.all(caller)),
        pathPrefix("users", () -> small(() -> users.users(caller))),
        pathPrefix("metrics-token", () -> small(() -> metricsToken.all(caller))),
        path(
            "stop",
            () ->
                post(
                    () ->
                        parameterOptional(
                            "keep",
                            keep ->
                                parameterOptional(
                                    "now", now -> stop(stopMode(keep, now), caller))))),
        path(
            "events",
            () ->
                get(
                    () ->
                        parameterOptional(
                            "after",
                            after -> output.events(null, QueryParameters.number(after, 0))))));
  }

  private Route stop(ServerStopMode how, Caller caller) {
    return members
        .refusalToStop(how)
        .<Route>map(no -> complete(no))
        .orElseGet(() -> server.stop(how, caller));
  }

  private Route small(Supplier<Route> inner) {
    return withSizeLimit(RequestLimits.SMALL_BODY, inner);
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

  private static ServerStopMode stopMode(Optional<String> keep, Optional<String> now) {
    if (keep.isPresent()) {
      return ServerStopMode.TASKS_RUN_ON;
    }
    return now.isPresent() ? ServerStopMode.TASKS_ARE_KILLED : ServerStopMode.TASKS_END;
  }
}
