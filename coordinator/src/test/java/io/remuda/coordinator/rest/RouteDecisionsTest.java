package io.remuda.coordinator.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.typesafe.config.ConfigFactory;
import io.remuda.coordinator.cluster.KnownLeader;
import io.remuda.coordinator.cluster.LeaderNotice;
import io.remuda.coordinator.cluster.SingleServerMembership;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.route.ApiRoute;
import io.remuda.coordinator.route.RepeatableRequestRule;
import io.remuda.coordinator.route.RouteMatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.http.javadsl.model.Query;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where a route is answered, and whether it is repeated at a fail-over. */
class RouteDecisionsTest {
  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ConfigFactory.parseString("remuda.blocking-dispatcher { type = Dispatcher }"));

  @AfterAll
  static void end() {
    KIT.shutdownTestKit();
  }

  static List<RouteDecisions> all() throws Exception {
    return RouteDecisions.all();
  }

  /**
   * Whoever adds a row says in the file what was decided, and above all what a second time does.
   */
  @Test
  void each_row_of_the_table_was_decided() throws Exception {
    assertEquals(
        all().stream().sorted(Comparator.comparing(RouteDecisions::toString)).toList(),
        Stream.of(ApiRoute.values())
            .map(RouteDecisionsTest::ofRow)
            .sorted(Comparator.comparing(RouteDecisions::toString))
            .toList());
  }

  private static RouteDecisions ofRow(ApiRoute row) {
    String right =
        switch (row.right().token()) {
          case NONE -> "anyone";
          case METRICS -> "metrics";
          case USER -> row.right().ownerOnly() == null ? "user" : "owner";
        };
    String repeat =
        switch (row.repeat()) {
          case NO -> "no";
          case YES -> "yes";
          case WITH_KEYS -> "keys";
          case WITH_STATE -> "state";
          case UNLESS_SIGNAL -> "bytes";
        };
    return new RouteDecisions(
        row.method(),
        row.path(),
        row.place().name().toLowerCase(Locale.ROOT),
        repeat,
        row.body().name().toLowerCase(Locale.ROOT),
        right);
  }

  /** Writes the table of docs/http.md. */
  private static String line(RouteDecisions route) {
    return "| `%s %s` | %s | %s | %s | %s |"
        .formatted(
            route.method(),
            route.path(),
            Map.of("here", "the one asked", "member", "any", "leader", "leader").get(route.where()),
            Map.of(
                    "keys", "with `clientKey`s",
                    "state", "by action",
                    "bytes", "but for signals")
                .getOrDefault(route.repeat(), route.repeat()),
            Map.of("none", "", "small", "1 MiB", "large", "16 MiB").get(route.body()),
            route.right());
  }

  @Test
  void the_page_has_the_same_table() throws Exception {
    List<String> wanted =
        Stream.of(ApiRoute.values()).map(RouteDecisionsTest::ofRow).map(row -> line(row)).toList();
    List<String> written =
        Files.readAllLines(Path.of("..", "docs", "http.md")).stream()
            .dropWhile(line -> !line.equals("## All routes"))
            .filter(line -> line.matches("\\| `[A-Z]+ .*"))
            .toList();
    assertEquals(String.join("\n", wanted), String.join("\n", written), "## All routes");
  }

  /** Returns where a member answers that does not lead. */
  private static String where(RouteDecisions route, String query) {
    if (answersHere(route, false, query)) {
      return "here";
    }
    return answersHere(route, true, query) ? "member" : "leader";
  }

  private static boolean answersHere(RouteDecisions route, boolean leaderKnown, String query) {
    KnownLeader leader = new KnownLeader();
    if (leaderKnown) {
      leader.heard(new LeaderNotice("a", "a:7411", 1, 0, "x", null));
    }
    return new MemberAndForwardingRoutes(
            new RestBackend(KIT.system(), leader, null, null, null),
            leader,
            new SingleServerMembership("a:1", null, Optional::empty),
            "x")
        .answersHere(RouteMatch.of(route.method(), route.target()).found(), Query.create(query));
  }

  /** Answered before a member asks itself who answers. */
  private static boolean asksNobody(RouteDecisions route) {
    return route.right().equals("anyone") || route.right().equals("metrics");
  }

  @ParameterizedTest
  @MethodSource("all")
  void a_route_is_answered_where_it_was_decided(RouteDecisions route) {
    if (!asksNobody(route)) {
      assertEquals(route.where(), where(route, ""));
    }
  }

  @Test
  void only_the_leader_knows_the_progress_of_jobs() throws Exception {
    for (RouteDecisions route : all()) {
      if (route.where().equals("member")) {
        assertEquals("leader", where(route, "progress=1"), route::toString);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void a_route_is_repeated_as_was_decided(RouteDecisions route) {
    assertEquals(route.repeat(), repeat(route));
  }

  private static String repeat(RouteDecisions route) {
    if (is(route, "")) {
      return is(route, "{\"open\":\"signal:10\"}") ? "yes" : "bytes";
    }
    if (is(route, "{\"clientKey\":\"k\"}")) {
      return "keys";
    }
    return is(route, "{\"action\":\"cancel\"}") ? "state" : "no";
  }

  private static boolean is(RouteDecisions route, String body) {
    return RepeatableRequestRule.is(route.method(), route.target(), body.getBytes(UTF_8));
  }
}
