package io.remuda.coordinator.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.route.ApiRoute;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardedRoutesTest {
  private static final Path PAGE = Path.of("src/main/resources/io/remuda/coordinator/ui/page");

  @Test
  void what_the_page_shows_and_does_goes_to_the_server() {
    assertTrue(ForwardedRoutes.include("GET", "/top"));
    assertTrue(ForwardedRoutes.include("GET", "/jobs/12/logs"));
    assertTrue(ForwardedRoutes.include("POST", "/jobs/12/cancel"));
  }

  @Test
  void nothing_is_passed_on_that_the_page_never_asks() throws IOException {
    String code;
    try (Stream<Path> files = Files.walk(PAGE)) {
      code =
          files
              .filter(file -> file.toString().endsWith(".js"))
              .map(ForwardedRoutesTest::read)
              .collect(Collectors.joining());
    }
    List<String> unasked =
        ForwardedRoutes.ALL.stream()
            .map(ApiRoute::path)
            .filter(path -> !Pattern.compile(asPageWrites(path)).matcher(code).find())
            .toList();
    assertEquals(List.of(), unasked);
  }

  /** A path in quotes, with what it begins with left out or not, and perhaps a query. */
  private static String asPageWrites(String path) {
    return "[\"`](/api/v1)?" + path.replace("{id}", "\\$\\{[\\w.]+\\}") + "([\"`?]|\\$\\{query)";
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
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
    "POST, /jobs/12/tasks/3/cancel",
    "GET, /events",
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
