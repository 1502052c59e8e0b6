package io.remuda.coordinator.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestOriginTest {
  private static final int PORT = 7832;
  private static final String OWN = "127.0.0.1:7832";

  private static Optional<String> refusal(
      String host, String origin, String site, String mode, String target) {
    return new RequestOrigin(
            Optional.ofNullable(host),
            Optional.ofNullable(origin),
            Optional.ofNullable(site),
            Optional.ofNullable(mode),
            Optional.ofNullable(target))
        .refusal(PORT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:7832", "localhost:7832", "LOCALHOST:7832", "[::1]:7832"})
  void the_loopback_by_any_of_its_names_is_served(String host) {
    assertEquals(Optional.empty(), refusal(host, null, null, null, null));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "evil.example:7832",
        "127.0.0.1",
        "127.0.0.1:80",
        "127.0.0.1:7832.evil.example"
      })
  void another_name_that_leads_here_is_refused(String host) {
    assertTrue(refusal(host, null, null, null, null).isPresent());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://evil.example",
        "http://127.0.0.1:8888",
        "https://127.0.0.1:7832",
        "http://localhost:7832",
        "null",
        ""
      })
  void a_request_of_another_page_is_refused(String origin) {
    assertTrue(refusal(OWN, origin, null, null, null).isPresent());
  }

  @Test
  void a_request_of_the_own_page_is_served() {
    assertEquals(Optional.empty(), refusal(OWN, "http://" + OWN, "same-origin", "cors", "empty"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cross-site", "same-site"})
  void another_page_can_link_here_and_load_nothing(String site) {
    assertEquals(Optional.empty(), refusal(OWN, null, site, "navigate", "document"));
    assertTrue(refusal(OWN, null, site, "navigate", "iframe").isPresent());
    assertTrue(refusal(OWN, null, site, "no-cors", "script").isPresent());
    assertTrue(refusal(OWN, null, site, "no-cors", "image").isPresent());
  }
}
