package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.history.HistoryArchive;
import io.remuda.coordinator.rest.query.RouteHandlers;
import io.remuda.coordinator.rest.query.UsageQuery;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.rest.view.UsageSums;
import io.remuda.coordinator.rest.view.WasteReader;
import io.remuda.coordinator.route.ApiRoute;
import java.time.Clock;
import java.time.LocalDate;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** The routes of what ended attempts held and used, and of what is wasted. */
final class UsageRoutes {

  private final RestBackend backend;
  private final HistoryArchive archive;
  private final Clock clock;

  /**
   * @param archive who had which GPU
   * @param clock decides which day it is, in UTC
   */
  UsageRoutes(RestBackend backend, HistoryArchive archive, Clock clock) {
    this.backend = backend;
    this.archive = archive;
    this.clock = clock;
  }

  void add(RouteHandlers routes) {
    routes
        .on(ApiRoute.USAGE, request -> look(request.query().toMap(), request.caller()))
        .on(ApiRoute.WASTE, request -> waste(request.query().toMap(), request.caller()));
  }

  private CompletionStage<HttpResponse> waste(Map<String, String> asked, Caller caller) {
    return allowed(
        asked,
        caller,
        query ->
            backend
                .nodes()
                .thenCompose(
                    nodes ->
                        backend.query(
                            reader ->
                                JsonResponses.ok(
                                    new WasteReader(reader, query)
                                        .read(
                                            nodes,
                                            archive.store(),
                                            archive.gpus(),
                                            clock.instant().getEpochSecond())))));
  }

  private CompletionStage<HttpResponse> look(Map<String, String> asked, Caller caller) {
    return allowed(
        asked,
        caller,
        query ->
            backend
                .nodes()
                .thenCompose(
                    nodes ->
                        backend.query(
                            reader ->
                                JsonResponses.ok(
                                    UsageSums.read(
                                            reader, query, nodes, clock.instant().getEpochSecond())
                                        .by(query.by())))));
  }

  /** Answers a question for what the caller may see. */
  private CompletionStage<HttpResponse> allowed(
      Map<String, String> asked,
      Caller caller,
      Function<UsageQuery, CompletionStage<HttpResponse>> answer) {
    UsageQuery query = UsageQuery.of(asked, LocalDate.ofInstant(clock.instant(), clock.getZone()));
    boolean own = caller.user().equals(query.user());
    if (!caller.mayAll() && query.user() != null && !own) {
      return CompletableFuture.completedFuture(
          JsonResponses.no(
              Rejection.of(
                  Rejection.Code.NOT_YOURS,
                  "only the owner of this server sees what others have used")));
    }
    return answer.apply(caller.mayAll() ? query : query.of(caller.user()));
  }
}
