package io.remuda.coordinator.rest.query;

import io.remuda.coordinator.route.ApiRoute;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Directives;
import org.apache.pekko.http.javadsl.server.Route;

/** What answers each route. Filled by one thread, then read by any. */
public final class RouteHandlers {

  private final Map<ApiRoute, Function<ApiRequest, Route>> all = new EnumMap<>(ApiRoute.class);

  /**
   * Sets what answers a route. A handler that throws {@link IllegalArgumentException} refuses the
   * request; its message is for users.
   */
  public RouteHandlers on(
      ApiRoute route, Function<ApiRequest, CompletionStage<HttpResponse>> handler) {
    return onRoute(route, request -> Directives.completeWithFuture(handler.apply(request)));
  }

  /** Sets what answers a route at once. */
  public RouteHandlers onNow(ApiRoute route, Function<ApiRequest, HttpResponse> handler) {
    return onRoute(route, request -> Directives.complete(handler.apply(request)));
  }

  /** Sets what answers a route by directives, as streams are. */
  public RouteHandlers onRoute(ApiRoute route, Function<ApiRequest, Route> handler) {
    if (all.put(route, handler) != null) {
      throw new IllegalStateException(route + " has two handlers");
    }
    return this;
  }

  /**
   * Returns this.
   *
   * @throws IllegalStateException if a route has no handler
   */
  public RouteHandlers requireAll() {
    Set<ApiRoute> missing = EnumSet.allOf(ApiRoute.class);
    missing.removeAll(all.keySet());
    if (!missing.isEmpty()) {
      throw new IllegalStateException("no handler of " + missing);
    }
    return this;
  }

  public Route answer(ApiRoute route, ApiRequest request) {
    return all.get(route).apply(request);
  }
}
