package io.remuda.coordinator.ui;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.remuda.coordinator.client.RelayedAnswer;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.ui.PageServer.ShownServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Passes requests on to the server, and its answers back as they come. Any thread. */
final class ServerRelay {

  /** No request of the page is longer. */
  static final int MOST_BODY_BYTES = 1 << 20;

  private static final int BUFFER = 1 << 14;
  private static final String PLAIN = "application/octet-stream";

  private final ShownServer server;

  ServerRelay(ShownServer server) {
    this.server = server;
  }

  /**
   * Answers a request with the server's answer.
   *
   * @param path below {@code /api/v1}
   */
  void pass(HttpExchange exchange, String method, String path) throws IOException {
    byte[] body = body(exchange, method);
    if (body != null && body.length > MOST_BODY_BYTES) {
      PageAnswer.error(exchange, 413, "too-large", "the request is too long for remuda ui");
      return;
    }
    RelayedAnswer answer;
    try {
      answer = server.ask(method, path + query(exchange), body);
    } catch (RestFailureException refused) {
      PageAnswer.error(exchange, 502, "server-away", refused.getMessage());
      return;
    } catch (IOException fault) {
      PageAnswer.error(exchange, 502, "server-away", "no server answers: " + fault.getMessage());
      return;
    } catch (IllegalArgumentException notAscii) { // which no address that a browser sends has
      PageAnswer.error(exchange, 400, "bad-address", "this is not an address");
      return;
    }
    try (answer) {
      pass(answer, exchange);
    }
  }

  /** Returns the query; what a browser has of a stream of events becomes a part of it. */
  private static String query(HttpExchange exchange) {
    String query = exchange.getRequestURI().getRawQuery();
    String last = exchange.getRequestHeaders().getFirst("Last-Event-ID");
    String after = last == null ? null : "after=" + RestClient.encode(last);
    String all = Stream.of(query, after).filter(Objects::nonNull).collect(Collectors.joining("&"));
    return all.isEmpty() ? "" : "?" + all;
  }

  private static byte[] body(HttpExchange exchange, String method) throws IOException {
    InputStream in = exchange.getRequestBody();
    return !method.equals("GET") ? in.readNBytes(MOST_BODY_BYTES + 1) : null;
  }

  private static void pass(RelayedAnswer from, HttpExchange to) throws IOException {
    Headers headers = to.getResponseHeaders();
    for (Map.Entry<String, String> one : from.headers().entrySet()) {
      if (one.getKey().startsWith("remuda-")) {
        headers.set(one.getKey(), one.getValue());
      }
    }
    headers.set("Content-Type", from.headers().getOrDefault("content-type", PLAIN));
    to.sendResponseHeaders(from.status(), 0);
    OutputStream out = to.getResponseBody();
    byte[] buffer = new byte[BUFFER];
    for (int count = from.body().read(buffer); count >= 0; count = from.body().read(buffer)) {
      out.write(buffer, 0, count);
      if (from.body().available() == 0) {
        out.flush(); // an event is not to wait for the next
      }
    }
    out.close(); // only an answer that came whole has an end
  }
}
