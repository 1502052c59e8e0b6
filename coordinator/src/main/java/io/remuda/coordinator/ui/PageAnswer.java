package io.remuda.coordinator.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;

/** Answers of known length. */
final class PageAnswer {

  private PageAnswer() {}

  static void bytes(HttpExchange exchange, int status, String type, byte[] content)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, content.length == 0 ? -1 : content.length);
    exchange.getResponseBody().write(content);
  }

  static void json(HttpExchange exchange, int status, JsonNode content) throws IOException {
    bytes(exchange, status, "application/json", RestClient.JSON.writeValueAsBytes(content));
  }

  /** Answers as the server does when it refuses something. */
  static void error(HttpExchange exchange, int status, String code, String message)
      throws IOException {
    ObjectNode error = RestClient.JSON.createObjectNode();
    error.putObject("error").put("code", code).put("message", message);
    json(exchange, status, error);
  }
}
