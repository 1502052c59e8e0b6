package io.remuda.coordinator.route;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests may be sent to the next leader though the last may have done them. */
class RepeatableRequestRuleTest {

  private static boolean is(String method, String target, String body) {
    return RepeatableRequestRule.is(method, target, body.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void reads_are_repeated() {
    assertTrue(is("GET", "/jobs/3/waiting", ""));
    assertTrue(is("GET", "/nodes/?x=1", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/jobs/3/signal", "/jobs/3/copies", "/stop", "/metrics-token", "nodes", ""})
  void a_read_that_the_table_does_not_have_is_not_repeated(String target) {
    assertFalse(is("GET", target, ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/jobs/3/copy",
        "/jobs/3/cancel/all",
        "/jobs/x/cancel",
        "/nodes/a/reboot",
        "/nodes",
        "/users/bob/tokens",
        "/anything",
        "/",
        ""
      })
  void what_the_rule_does_not_know_is_not_repeated(String target) {
    assertFalse(is("POST", target, "{\"clientKey\":\"k\"}"));
  }

  @Test
  void other_methods_are_not_repeated() {
    for (String method : new String[] {"PUT", "DELETE", "PATCH", "get", "HEAD"}) {
      assertFalse(is(method, "/jobs/3/cancel", ""), method);
    }
  }

  @Test
  void a_submission_is_repeated_if_each_of_its_jobs_has_a_key() {
    String keyed = "{\"argv\":[\"true\"],\"clientKey\":\"k\"}";
    for (String target : new String[] {"/jobs", "/jobs/", "/jobs?dryRun", "/leases"}) {
      assertTrue(is("POST", target, keyed), target);
    }
    assertTrue(is("POST", "/jobs/3/resubmit", "{\"clientKey\":\"k\"}"));
    assertTrue(is("POST", "/jobs", "{\"jobs\":[" + keyed + "," + keyed + "]}"));
    assertFalse(is("POST", "/jobs", "{\"jobs\":[" + keyed + ",{\"argv\":[\"true\"]}]}"));
    assertFalse(is("POST", "/jobs", "{\"clientKey\":null}"));
    assertFalse(is("POST", "/jobs", "{\"clientKey\":\" \"}"));
    assertFalse(is("POST", "/jobs", "{\"clientKey\":7}"));
    assertFalse(is("POST", "/jobs", ""));
    assertFalse(is("POST", "/jobs", "no JSON"));
    assertFalse(is("POST", "/jobs", "[" + keyed + "]"));
  }

  @Test
  void bytes_of_a_channel_are_repeated_and_a_signal_is_not() {
    assertTrue(is("POST", "/jobs/3/channel", "{\"name\":\"a\",\"open\":\"shell:xterm\"}"));
    assertFalse(is("POST", "/jobs/3/channel", "{\"name\":\"a\",\"open\":\"signal:10\"}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cancel", "cancel-now", "hold", "release"})
  void a_change_of_many_is_repeated_as_one_of_each_of_them_is(String action) {
    String body = "{\"action\":\"%s\",\"jobs\":\"1-20\"}".formatted(action);
    assertTrue(is("POST", "/jobs/change", body));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"action\":\"requeue\",\"jobs\":\"1\"}",
        "{\"action\":\"requeue-on-hold\",\"jobs\":\"1\"}",
        "{\"action\":\"copy\",\"jobs\":\"1\"}",
        "{\"action\":[\"cancel\"],\"jobs\":\"1\"}",
        "{\"jobs\":\"1\",\"clientKey\":\"k\"}",
        "[\"cancel\"]",
        "cancel",
        ""
      })
  void a_change_of_many_that_starts_something_or_is_unknown_is_not_repeated(String body) {
    assertFalse(is("POST", "/jobs/change", body));
  }
}
