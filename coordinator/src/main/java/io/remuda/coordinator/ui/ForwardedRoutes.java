package io.remuda.coordinator.ui;

import io.remuda.coordinator.route.ApiRoute;
import io.remuda.coordinator.route.RouteMatch;
import java.util.EnumSet;
import java.util.Set;

/** The requests of the page that go to the server. All others are refused. */
final class ForwardedRoutes {

  static final Set<ApiRoute> ALL =
      EnumSet.of(
          ApiRoute.LIVE,
          ApiRoute.TOP,
          ApiRoute.HISTORY,
          ApiRoute.TIMELINE,
          ApiRoute.WASTE,
          ApiRoute.USAGE,
          ApiRoute.JOBS,
          ApiRoute.JOB,
          ApiRoute.TASKS,
          ApiRoute.EXPLAIN,
          ApiRoute.WAITING,
          ApiRoute.LOGS,
          ApiRoute.CHANGE_JOBS,
          ApiRoute.CANCEL,
          ApiRoute.HOLD,
          ApiRoute.RELEASE,
          ApiRoute.REQUEUE,
          ApiRoute.RESUBMIT);

  private ForwardedRoutes() {}

  /**
   * Returns whether a request may go to the server.
   *
   * @param path below {@code /api/v1}, without a query, as it was sent
   */
  static boolean include(String method, String path) {
    return !path.endsWith("/")
        && RouteMatch.of(method, path).found().filter(ALL::contains).isPresent();
  }
}
