package io.remuda.coordinator.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import io.remuda.coordinator.client.RelayedAnswer;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.drawing.DrawingStyle;
import io.remuda.coordinator.drawing.request.DrawingRequests;
import io.remuda.coordinator.ui.PageServer.ShownServer;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Drawings for the page, made here of what the server answers. Any thread. */
final class DrawnAnswers {

  static final String FOLDER = "/draw/";
  static final String STYLE = "/drawing.css";

  private static final int GOOD = 300; // and below
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final int AWAY = 502;

  private final DrawingRequests drawings;

  DrawnAnswers(ShownServer server) {
    drawings = new DrawingRequests(path -> get(server, path), Clock.systemUTC());
  }

  private static JsonNode get(ShownServer server, String path) throws IOException {
    try (RelayedAnswer answer = server.ask("GET", path, null)) {
      JsonNode json = RestClient.JSON.readTree(answer.body().readAllBytes());
      if (answer.status() >= GOOD) {
        throw new RestFailureException(
            answer.status(), json.path("error").path("message").asText("no answer to " + path));
      }
      return json;
    }
  }

  /** Answers with the rules for drawings within the page. */
  static void style(HttpExchange exchange) throws IOException {
    PageAnswer.bytes(
        exchange,
        200,
        "text/css; charset=utf-8",
        DrawingStyle.sheet().getBytes(StandardCharsets.UTF_8));
  }

  /** Answers with a drawing, or says why there is none. */
  void draw(HttpExchange exchange) throws IOException {
    String name = exchange.getRequestURI().getRawPath().substring(FOLDER.length());
    Optional<String> drawn;
    try {
      drawn = drawings.svg(name, query(exchange.getRequestURI().getRawQuery()));
    } catch (RestFailureException no) {
      boolean away = no.status() < BAD_REQUEST;
      PageAnswer.error(
          exchange, away ? AWAY : no.status(), away ? "server-away" : "refused", no.getMessage());
      return;
    } catch (IOException cut) { // an answer that broke off, or is none
      PageAnswer.error(
          exchange, AWAY, "server-away", "the server's answer broke off: " + cut.getMessage());
      return;
    } catch (IllegalArgumentException wrong) {
      PageAnswer.error(exchange, BAD_REQUEST, "bad-drawing", wrong.getMessage());
      return;
    }
    if (drawn.isPresent()) {
      byte[] svg = drawn.get().getBytes(StandardCharsets.UTF_8);
      PageAnswer.bytes(exchange, 200, "image/svg+xml", svg);
    } else {
      PageAnswer.error(exchange, NOT_FOUND, "not-found", "there is no such drawing");
    }
  }

  private static Map<String, String> query(String raw) {
    Map<String, String> values = new LinkedHashMap<>();
    if (raw != null) {
      for (String pair : raw.split("&")) {
        String[] parts = pair.split("=", 2);
        values.put(decoded(parts[0]), parts.length > 1 ? decoded(parts[1]) : "");
      }
    }
    return values;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
