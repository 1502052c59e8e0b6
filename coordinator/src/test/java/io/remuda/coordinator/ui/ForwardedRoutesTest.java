package io.remuda.coordinator.ui;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardedRoutesTest {

  @Test
  void what_the_page_shows_and_does_goes_to_the_server() {
    assertTrue(ForwardedRoutes.include("GET", "/top"));
    assertTrue(ForwardedRoutes.include("GET", "/jobs/12/logs"));
    assertTrue(ForwardedRoutes.include("POST", "/jobs/12/cancel"));
    assertTrue(ForwardedRoutes.include("POST", "/jobs/12/tasks/3/cancel"));
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /jobs/12/cancel",
    "DELETE, /jobs/12",
    "POST, /jobs",
    "POST, /stop",
    "POST, /users",
    "GET, /users",
    "POST, /metrics-token",
    "POST, /nodes/a/drain",
    "GET, /jobs/12/channel",
    "GET, /jobs/../users",
    "GET, /jobs/12/../../users",
    "GET, /jobs/%2e%2e/users",
    "GET, //top",
    "GET, /top/",
    "GET, /Top",
    "GET, /jobs/x",
    "GET, /jobs/1234567890123456789",
  })
  void nothing_else_does(String method, String path) {
    assertFalse(ForwardedRoutes.include(method, path));
  }
}
