package io.remuda.coordinator.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the table says of a method and a path. */
class RouteMatchTest {

  @ParameterizedTest
  @EnumSource(ApiRoute.class)
  void each_row_is_found_with_its_values(ApiRoute route) {
    String target = route.path().replaceAll("\\{\\w+\\}", "7") + "?limit=/jobs";
    RouteMatch match = RouteMatch.of(route.method(), target);
    assertEquals(Optional.of(route), match.found());
    assertEquals(
        route.path().chars().filter(letter -> letter == '{').count(), match.values().size());
    assertEquals(route.path().split("/")[1], match.label());
  }

  @Test
  void a_slash_may_end_a_path_below_which_there_are_others() {
    assertEquals(Optional.of(ApiRoute.JOBS), RouteMatch.of("GET", "/jobs/").found());
    assertEquals(Optional.of(ApiRoute.JOB), RouteMatch.of("GET", "/jobs/7/").found());
    assertEquals(Optional.empty(), RouteMatch.of("GET", "/version/").found());
    assertEquals(Optional.empty(), RouteMatch.of("POST", "/jobs/7/cancel/").found());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "jobs",
        "//jobs",
        "/jobs//",
        "/jobs/7//tasks",
        "/jobs/x",
        "/jobs/-1",
        "/jobs/\u0667",
        "/jobs/1234567890123456789",
        "/jobs/7/tasks/1234567890/cancel",
        "/jobs/7/copies",
        "/nodes//readings",
        "/Jobs"
      })
  void other_paths_have_no_methods(String path) {
    RouteMatch match = RouteMatch.of("GET", path);
    assertEquals(Optional.empty(), match.found());
    assertEquals(List.of(), match.methods());
  }

  @Test
  void a_path_says_which_methods_it_has() {
    assertEquals(List.of("GET", "POST"), RouteMatch.of("PUT", "/jobs").methods());
    assertEquals(List.of("POST"), RouteMatch.of("GET", "/jobs/7/cancel").methods());
  }

  @ParameterizedTest
  @CsvSource({
    "/jobs/7/cancle, /jobs/{id}/cancel",
    "/job, /jobs",
    "/nodes/gpu1/resumes, /nodes/{node}/resume",
    "/jobs/7/tasks/3/sginal, /jobs/{id}/tasks/{index}/signal"
  })
  void a_similar_path_is_named(String path, String near) {
    assertEquals(Optional.of(near), RouteMatch.of("POST", path).near());
  }

  @Test
  void nothing_is_similar_to_what_is_far_or_long() {
    assertEquals(Optional.empty(), RouteMatch.of("GET", "/jobs/7/xyzzy").near());
    assertEquals(Optional.empty(), RouteMatch.of("GET", "/jobs/7/" + "c".repeat(51)).near());
  }

  @Test
  void paths_that_nobody_has_share_a_label() {
    assertEquals("other", RouteMatch.of("GET", "/nowhere").label());
    assertEquals("jobs", RouteMatch.of("GET", "/jobs/nowhere").label());
  }
}
