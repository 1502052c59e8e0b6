package io.remuda.coordinator.ui;

import java.util.List;
import java.util.regex.Pattern;

/** The requests of the page that go to the server. All others are refused. */
final class ForwardedRoutes {

  /**
   * @param text path below {@code /api/v1}, with N for a number
   */
  private record Route(String method, String text, Pattern path) {}

  private static final List<Route> ALL =
      List.of(
          route("GET", "/live"),
          route("GET", "/top"),
          route("GET", "/history"),
          route("GET", "/timeline"),
          route("GET", "/waste"),
          route("GET", "/usage"),
          route("GET", "/jobs"),
          route("GET", "/jobs/N"),
          route("GET", "/jobs/N/tasks"),
          route("GET", "/jobs/N/explain"),
          route("GET", "/jobs/N/waiting"),
          route("GET", "/jobs/N/logs"),
          route("POST", "/jobs/change"),
          route("POST", "/jobs/N/cancel"),
          route("POST", "/jobs/N/hold"),
          route("POST", "/jobs/N/release"),
          route("POST", "/jobs/N/requeue"),
          route("POST", "/jobs/N/resubmit"));

  private ForwardedRoutes() {}

  private static Route route(String method, String path) {
    return new Route(method, path, Pattern.compile(path.replace("N", "\\d{1,18}")));
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

  /** Returns the paths that are passed on, below {@code /api/v1}, with N for a number. */
  static List<String> paths() {
    return ALL.stream().map(Route::text).toList();
  }

  /** Returns whether requests of this method change something. */
  static boolean change(String method) {
    return !method.equals("GET");
  }
}
