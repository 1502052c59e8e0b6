package io.remuda.coordinator.ui;

import java.util.List;
import java.util.regex.Pattern;

/** The requests of the page that go to the server. All others are refused. */
final class ForwardedRoutes {

  /**
   * @param path below {@code /api/v1}
   */
  private record Route(String method, Pattern path) {}

  private static final List<Route> ALL =
      List.of(
          route("GET", "/version"),
          route("GET", "/live"),
          route("GET", "/top"),
          route("GET", "/nodes"),
          route("GET", "/cluster"),
          route("GET", "/events"),
          route("GET", "/history"),
          route("GET", "/timeline"),
          route("GET", "/waste"),
          route("GET", "/usage"),
          route("GET", "/profiles"),
          route("GET", "/jobs"),
          route("GET", "/jobs/N"),
          route("GET", "/jobs/N/tasks"),
          route("GET", "/jobs/N/explain"),
          route("GET", "/jobs/N/waiting"),
          route("GET", "/jobs/N/metrics"),
          route("GET", "/jobs/N/logs"),
          route("GET", "/jobs/N/events"),
          route("POST", "/jobs/change"),
          route("POST", "/jobs/N/cancel"),
          route("POST", "/jobs/N/hold"),
          route("POST", "/jobs/N/release"),
          route("POST", "/jobs/N/requeue"),
          route("POST", "/jobs/N/resubmit"),
          route("POST", "/jobs/N/tasks/N/cancel"),
          route("POST", "/jobs/N/tasks/N/requeue"));

  private ForwardedRoutes() {}

  private static Route route(String method, String path) {
    return new Route(method, Pattern.compile(path.replace("N", "\\d{1,18}")));
  }

  /**
   * Returns whether a request may go to the server.
   *
   * @param path below {@code /api/v1}, without a query, as it was sent
   */
  static boolean include(String method, String path) {
    return ALL.stream()
        .anyMatch(route -> route.method().equals(method) && route.path().matcher(path).matches());
  }

  /** Returns whether requests of this method change something. */
  static boolean change(String method) {
    return !method.equals("GET");
  }
}
