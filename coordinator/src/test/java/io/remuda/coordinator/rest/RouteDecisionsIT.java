package io.remuda.coordinator.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whose token a route requires, and how large its body may be. */
class RouteDecisionsIT {
  private static final int MILLIS = 60_000;
  private static final int SMALL = 1 << 20;
  private static final int LARGE = 16 << 20;

  @TempDir private static Path folder;
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static Cluster service;
  private static String address;
  private static String owner;
  private static String user;
  private static String metrics;

  @BeforeAll
  static void start() throws IOException {
    service = new Cluster(Installation.find(), folder.resolve("h"), Map.of());
    service.serve("--no-agent", "--insecure"); // some requests are written byte by byte
    address = service.client().access().rest();
    owner = service.client().access().token();
    Path access = folder.resolve("ann.json");
    assertEquals(0, service.cli("user", "add", "ann", "--out", access.toString()).code());
    user = ServerAccessFile.read(access).orElseThrow().token();
    metrics = service.client().post("/metrics-token", null).path("token").asText();
  }

  @AfterAll
  static void end() {
    service.close();
  }

  static List<RouteDecisions> all() throws IOException {
    return RouteDecisions.all();
  }

  private static URI uri(RouteDecisions route) {
    String prefix = route.path().startsWith("/metrics") && route.method().equals("GET") ? "" : null;
    return URI.create(address + (prefix == null ? "/api/v1" : prefix) + route.target() + "?gpu=0");
  }

  /** Returns the status and, of an error, the answer. */
  private static Map.Entry<Integer, String> ask(RouteDecisions route, String token, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(route))
            .timeout(Duration.ofMillis(MILLIS))
            .method(route.method(), HttpRequest.BodyPublishers.ofByteArray(body));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    HttpResponse<InputStream> answer =
        HTTP.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream in = answer.body()) { // a stream has no end
      return Map.entry(
          answer.statusCode(),
          answer.statusCode() < 400 ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void a_route_requires_the_token_that_was_decided(RouteDecisions route) throws Exception {
    byte[] none = {};
    int stranger = ask(route, null, none).getKey();
    assertEquals(!route.right().equals("anyone"), stranger == 401, "without a token: " + stranger);
    int reader = ask(route, metrics, none).getKey();
    assertEquals(
        !List.of("anyone", "metrics").contains(route.right()),
        reader == 401,
        "with the token for metrics: " + reader);
    Map.Entry<Integer, String> one = ask(route, user, none);
    assertEquals(
        route.right().equals("owner"),
        one.getKey() == 403 && one.getValue().contains("only the owner"),
        one::toString);
  }

  @ParameterizedTest
  @MethodSource("all")
  void a_body_has_the_limit_that_was_decided(RouteDecisions route) throws Exception {
    if (route.body().equals("none")) {
      return; // it is not read
    }
    String token = route.right().equals("owner") ? owner : user;
    boolean large = route.body().equals("large");
    assertEquals(Optional.of(413), begun(route, token, (large ? LARGE : SMALL) + 1));
    int below = ask(route, token, " ".repeat(large ? SMALL + 1 : SMALL).getBytes()).getKey();
    assertTrue(below == 400 || below == 404, "within the limit: " + below);
  }

  /** Returns the status that the head of a request gets whose body does not come. */
  private static Optional<Integer> begun(RouteDecisions route, String token, int length)
      throws IOException {
    URI uri = uri(route);
    String head =
        "%s %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n"
            .formatted(route.method(), uri.getPath(), token, length);
    try (Socket socket = new Socket(InetAddress.getByName(uri.getHost()), uri.getPort())) {
      socket.setSoTimeout(MILLIS);
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      String status = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
      return Optional.of(status)
          .filter(text -> text.startsWith("HTTP/1.1 "))
          .map(text -> Integer.valueOf(text.substring(9)));
    }
  }

  @Test
  void what_is_no_route_is_refused_in_the_same_form() throws Exception {
    for (RouteDecisions wrong :
        List.of(
            new RouteDecisions("POST", "/jobs/7/copy", "", "", "", ""),
            new RouteDecisions("GET", "/jobs/x", "", "", "", ""),
            new RouteDecisions("GET", "/version/", "", "", "", ""),
            new RouteDecisions("GET", "//jobs", "", "", "", ""),
            new RouteDecisions("GET", "/", "", "", "", ""))) {
      Map.Entry<Integer, String> answer = ask(wrong, owner, new byte[0]);
      assertEquals(404, answer.getKey(), wrong::toString);
      assertTrue(
          RestClient.JSON
              .readTree(answer.getValue())
              .at("/error/message")
              .asText()
              .equals("there is no such path"),
          answer::toString);
    }
    assertTrue(
        ask(new RouteDecisions("POST", "/jobs/7/cancle", "", "", "", ""), owner, new byte[0])
            .getValue()
            .contains("did you mean /jobs/{id}/cancel? GET /api/v1/openapi.json"));
    for (String slash : List.of("/jobs/", "/nodes/", "/profiles/", "/users/", "/cluster/")) {
      RouteDecisions route = new RouteDecisions("GET", slash, "", "", "", "");
      assertEquals(200, ask(route, owner, new byte[0]).getKey(), slash);
    }
    Map.Entry<Integer, String> method =
        ask(new RouteDecisions("PUT", "/jobs", "", "", "", ""), owner, new byte[0]);
    assertEquals(405, method.getKey());
    assertTrue(method.getValue().contains("GET") && method.getValue().contains("POST"));
    method = ask(new RouteDecisions("GET", "/stop", "", "", "", ""), owner, new byte[0]);
    assertEquals(405, method.getKey());
    assertTrue(method.getValue().contains("this path accepts only POST"), method::toString);
  }
}
