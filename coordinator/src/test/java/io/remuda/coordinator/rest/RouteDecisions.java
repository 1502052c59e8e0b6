package io.remuda.coordinator.rest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What was decided for each route, as {@code routes/decisions.txt} records it.
 *
 * @param path below {@code /api/v1}, with the names of its parameters
 */
record RouteDecisions(
    String method, String path, String where, String repeat, String body, String right) {

  static List<RouteDecisions> all() throws IOException {
    try (InputStream file = RouteDecisions.class.getResourceAsStream("/routes/decisions.txt")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split(" +"))
          .map(word -> new RouteDecisions(word[0], word[1], word[2], word[3], word[4], word[5]))
          .toList();
    }
  }

  /** Returns the path with values that nothing has for its parameters. */
  String target() {
    return path.replaceAll("\\{(id|index)\\}", "4711").replaceAll("\\{\\w+\\}", "no-such.one");
  }

  @Override
  public String toString() {
    return method + " " + path;
  }
}
