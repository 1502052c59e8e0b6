package io.remuda.coordinator.rest;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.parameterMap;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.rest.query.UsageQuery;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.rest.view.UsageSums;
import java.time.Clock;
import java.time.LocalDate;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;

/** The route of what ended attempts held and used. */
final class UsageRoutes {

  private final RestBackend backend;
  private final Clock clock;

  /**
   * @param clock decides which day it is, in UTC
   */
  UsageRoutes(RestBackend backend, Clock clock) {
    this.backend = backend;
    this.clock = clock;
  }

  Route look(Caller caller) {
    return get(() -> parameterMap(asked -> completeWithFuture(look(asked, caller))));
  }

  private CompletionStage<HttpResponse> look(Map<String, String> asked, Caller caller) {
    UsageQuery query = UsageQuery.of(asked, LocalDate.ofInstant(clock.instant(), clock.getZone()));
    boolean own = caller.user().equals(query.user());
    if (!caller.mayAll() && query.user() != null && !own) {
      return CompletableFuture.completedFuture(
          JsonResponses.no(
              Rejection.of(
                  Rejection.Code.NOT_YOURS,
                  "only the owner of this server sees what others have used")));
    }
    UsageQuery allowed = caller.mayAll() ? query : query.of(caller.user());
    return backend.query(reader -> JsonResponses.ok(UsageSums.read(reader, allowed)));
  }
}
