package io.remuda.coordinator.ui;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.ui.PageFiles.PageFile;
import io.remuda.coordinator.ui.PageServer.ShownServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Answers a browser: files of the page to all, the server's answers to the page alone. */
final class PageHandler implements HttpHandler {

  static final String OPEN = "/open";
  private static final String CONTEXT = "/page/context.json";
  private static final String API = "/api/v1";

  /** Has the key; a page of another origin cannot send it without being asked about. */
  static final String KEY = "X-Remuda-Page";

  /** No code and no style within the page, nothing from elsewhere, no frames. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final String USED =
      "This link was used before, or is of another remuda ui. The terminal where remuda ui runs has"
          + " a new one.\n";

  private final int port;
  private final PageSecrets secrets;
  private final ShownServer shown;
  private final Runnable linkUsed;
  private final PageFiles files = new PageFiles();
  private final ServerRelay relay;
  private final DrawnAnswers drawings;

  PageHandler(int port, PageSecrets secrets, ShownServer shown, Runnable linkUsed) {
    this.port = port;
    this.secrets = secrets;
    this.shown = shown;
    this.linkUsed = linkUsed;
    this.relay = new ServerRelay(shown);
    this.drawings = new DrawnAnswers(shown);
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    protect(exchange.getResponseHeaders());
    Optional<String> refusal = origin(exchange.getRequestHeaders()).refusal(port);
    if (refusal.isPresent()) {
      PageAnswer.error(exchange, 403, "foreign", refusal.get());
    } else {
      answer(exchange);
    }
    exchange.close(); // after a fault the connection is cut, so that no part passes for the whole
  }

  private static void protect(Headers headers) {
    headers.set("Content-Security-Policy", POLICY);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Cache-Control", "no-store");
  }

  private static RequestOrigin origin(Headers headers) {
    return new RequestOrigin(
        header(headers, "Host"),
        header(headers, "Origin"),
        header(headers, "Sec-Fetch-Site"),
        header(headers, "Sec-Fetch-Mode"),
        header(headers, "Sec-Fetch-Dest"));
  }

  private static Optional<String> header(Headers headers, String name) {
    return Optional.ofNullable(headers.getFirst(name));
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getRawPath();
    String method = exchange.getRequestMethod();
    boolean drawn = path.startsWith(DrawnAnswers.FOLDER);
    if (drawn || path.startsWith(API + "/") || path.equals(CONTEXT)) {
      if (!isSignedIn(exchange)) {
        PageAnswer.error(
            exchange, 401, "not-signed-in", "open the link that remuda ui has printed");
      } else if (path.equals(CONTEXT)) {
        PageAnswer.json(exchange, 200, RestClient.JSON.valueToTree(shown.context()));
      } else if (drawn) {
        drawings.draw(exchange);
      } else if (!ForwardedRoutes.include(method, path.substring(API.length()))) {
        PageAnswer.error(exchange, 404, "not-forwarded", "remuda ui does not pass this on");
      } else {
        relay.pass(exchange, method, path.substring(API.length()));
      }
    } else if (!method.equals("GET")) {
      PageAnswer.error(exchange, 405, "method", "only GET is possible here");
    } else if (path.equals(OPEN)) {
      open(exchange);
    } else if (path.equals(DrawnAnswers.STYLE)) {
      DrawnAnswers.style(exchange);
    } else {
      file(exchange, path);
    }
  }

  private boolean isSignedIn(HttpExchange exchange) {
    Headers headers = exchange.getRequestHeaders();
    return secrets.areShown(cookie(headers), header(headers, KEY));
  }

  private Optional<String> cookie(Headers headers) {
    String prefix = cookieName() + "=";
    return header(headers, "Cookie").stream()
        .flatMap(all -> Arrays.stream(all.split(";")))
        .map(String::strip)
        .filter(one -> one.startsWith(prefix))
        .map(one -> one.substring(prefix.length()))
        .findFirst();
  }

  /** Browsers keep cookies by host, whatever the port. */
  private String cookieName() {
    return "remuda-page-" + port;
  }

  private void open(HttpExchange exchange) throws IOException {
    String query = exchange.getRequestURI().getRawQuery();
    String code = query != null && query.startsWith("code=") ? query.substring(5) : "";
    Headers answer = exchange.getResponseHeaders();
    if (secrets.use(code)) {
      answer.set(
          "Set-Cookie",
          cookieName() + "=" + secrets.cookie() + "; HttpOnly; SameSite=Strict; Path=/");
      answer.set("Location", "/#key=" + secrets.key());
      exchange.sendResponseHeaders(303, -1);
      linkUsed.run();
      return;
    }
    if (secrets.isCookie(cookie(exchange.getRequestHeaders()))) { // the link again
      answer.set("Location", "/");
      exchange.sendResponseHeaders(303, -1);
      return;
    }
    PageAnswer.bytes(
        exchange, 403, "text/plain; charset=utf-8", USED.getBytes(StandardCharsets.UTF_8));
  }

  private void file(HttpExchange exchange, String path) throws IOException {
    Optional<PageFile> found = files.find(path);
    if (found.isEmpty()) {
      PageAnswer.error(exchange, 404, "not-found", "there is no such file");
      return;
    }
    PageFile file = found.get();
    Headers answer = exchange.getResponseHeaders();
    answer.set("ETag", file.tag());
    answer.set("Cache-Control", "no-cache");
    if (header(exchange.getRequestHeaders(), "If-None-Match")
        .filter(file.tag()::equals)
        .isPresent()) {
      exchange.sendResponseHeaders(304, -1);
    } else {
      PageAnswer.bytes(exchange, 200, file.type(), file.content());
    }
  }
}
