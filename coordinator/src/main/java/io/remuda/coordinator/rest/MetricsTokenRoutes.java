package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.rest.answer.metrics.MetricsTokenAnswer;
import io.remuda.coordinator.rest.answer.metrics.RemovedMetricsTokenAnswer;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.store.row.UserRow;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.server.AllDirectives;
import org.apache.pekko.http.javadsl.server.Route;

/** The routes by which the owner makes the token that reads metrics alone, and removes it. */
final class MetricsTokenRoutes extends AllDirectives {

  private final RestBackend backend;
  private final UserTokenRegistry tokens;

  MetricsTokenRoutes(RestBackend backend, UserTokenRegistry tokens) {
    this.backend = backend;
    this.tokens = tokens;
  }

  Route all(Caller caller) {
    return concat(
        pathEndOrSingleSlash(() -> post(() -> completeWithFuture(create(caller)))),
        path("remove", () -> post(() -> completeWithFuture(remove(caller)))));
  }

  private CompletionStage<HttpResponse> create(Caller caller) {
    if (!caller.mayAll()) {
      return CompletableFuture.completedFuture(
          NodeAndServerRoutes.ownerOnly("make a token for metrics"));
    }
    String token = tokens.create();
    boolean replaced = tokens.hasMetricsToken();
    UserRow reader = UserTokenRegistry.metricsReader(token);
    return backend
        .setUser(reader)
        .thenApply(
            answer ->
                JsonResponses.of(
                    answer,
                    done -> {
                      tokens.add(reader, false);
                      return JsonResponses.json(
                          StatusCodes.CREATED, new MetricsTokenAnswer(token, replaced));
                    }));
  }

  private CompletionStage<HttpResponse> remove(Caller caller) {
    if (!caller.mayAll()) {
      return CompletableFuture.completedFuture(
          NodeAndServerRoutes.ownerOnly("remove the token for metrics"));
    }
    boolean was = tokens.hasMetricsToken();
    UserRow nobody = UserTokenRegistry.metricsReader(null);
    tokens.add(nobody, false); // at once, though the commit may take long
    return backend
        .setUser(nobody)
        .thenApply(
            answer ->
                JsonResponses.of(
                    answer,
                    done -> {
                      tokens.add(nobody, false); // a concurrent request may have undone it
                      return JsonResponses.ok(new RemovedMetricsTokenAnswer(was));
                    }));
  }
}
