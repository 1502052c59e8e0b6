package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.cluster.ForwardedAnswer;
import io.remuda.coordinator.cluster.ForwardedRequestResponder;
import io.remuda.coordinator.cluster.LeaderCommand;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpMethods;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers what other members forward by the routes of this one. Thread-safe. */
final class ForwardedRequestHandler implements ForwardedRequestResponder {

  private static final Logger LOG = LoggerFactory.getLogger(ForwardedRequestHandler.class);
  private static final String PREFIX = "/api/v1";
  private static final long PATIENCE_MILLIS = 30_000;
  private static final int FAULT = 500;

  /** A header of responses of a process that has ceased to lead. */
  static final String LEADS_NO_MORE = "Remuda-Leads-No-More";

  private final Routes routes;
  private final ActorSystem<?> system;

  ForwardedRequestHandler(Routes routes, ActorSystem<?> system) {
    this.routes = routes;
    this.system = system;
  }

  @Override
  public void answer(LeaderCommand.ForwardedRequest request) {
    CompletableFuture.supplyAsync(() -> http(request), system.executionContext())
        .thenCompose(http -> apply(new Caller(request.user(), request.mayAll()), http))
        .thenCompose(
            response ->
                response.getHeader(LEADS_NO_MORE).isPresent()
                    ? new CompletableFuture<ForwardedAnswer>() // the next leader is asked
                    : read(request.id(), response))
        .exceptionally(
            fault -> {
              LOG.warn("{} {}: {}", request.method(), request.target(), fault.toString());
              return new ForwardedAnswer(
                  request.id(), FAULT, "application/json", Map.of(), new byte[0]);
            })
        .thenAccept(request.replyTo()::tell);
  }

  private static HttpRequest http(LeaderCommand.ForwardedRequest request) {
    return HttpRequest.create(PREFIX + request.target())
        .withMethod(HttpMethods.lookup(request.method()).orElse(HttpMethods.GET))
        .withEntity(ContentTypes.APPLICATION_JSON, request.body());
  }

  private CompletionStage<HttpResponse> apply(Caller caller, HttpRequest request) {
    try {
      return routes.forwarded(caller).handler(system).apply(request);
    } catch (Exception fault) { // of the handler's signature; the routes answer their own
      return CompletableFuture.failedFuture(fault);
    }
  }

  private CompletionStage<ForwardedAnswer> read(long id, HttpResponse response) {
    Map<String, String> headers = new LinkedHashMap<>();
    response.getHeaders().forEach(header -> headers.put(header.name(), header.value()));
    return response
        .entity()
        .toStrict(PATIENCE_MILLIS, system)
        .thenApply(
            entity ->
                new ForwardedAnswer(
                    id,
                    response.status().intValue(),
                    entity.getContentType().mediaType().toString(),
                    headers,
                    entity.getData().toArray()));
  }
}
