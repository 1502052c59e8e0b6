package io.remuda.coordinator.ui;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.client.RelayedAnswer;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.ui.PageServer.ShownServer;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.SequenceInputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageServerTest {
  private final HttpClient browser = HttpClient.newHttpClient();
  private final Recorder server = new Recorder();
  private PageServer page;
  private String cookie;
  private String key;

  /** Answers with what a test gives it, and records what it was asked. */
  private static final class Recorder implements ShownServer {
    private final List<String> asked = new ArrayList<>();
    private InputStream body = new ByteArrayInputStream("{\"a\":1}".getBytes(UTF_8));
    private int status = 200;
    private IOException fault;

    @Override
    public RelayedAnswer ask(String method, String path, byte[] sent) throws IOException {
      asked.add(method + " " + path + (sent == null ? "" : " " + new String(sent, UTF_8)));
      if (fault != null) {
        throw fault;
      }
      return new RelayedAnswer(
          status, Map.of("content-type", "application/json", "remuda-size", "7", "x-y", "z"), body);
    }

    @Override
    public PageContext context() {
      return new PageContext("ann", "https://127.0.0.1:1", "lab7", "Europe/Berlin", "1");
    }
  }

  @BeforeEach
  void listen() throws IOException {
    page = PageServer.listen(0, server, () -> {});
  }

  @AfterEach
  void end() {
    page.close();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + page.port() + path));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return browser.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest.Builder signedIn(String path) throws Exception {
    if (cookie == null) {
      HttpResponse<String> opened = send(HttpRequest.newBuilder(URI.create(page.link())));
      assertEquals(303, opened.statusCode());
      cookie = opened.headers().firstValue("Set-Cookie").orElseThrow();
      key = opened.headers().firstValue("Location").orElseThrow().replace("/#key=", "");
    }
    return request(path).header("Cookie", cookie.split(";")[0]).header("X-Remuda-Page", key);
  }

  @Test
  void a_link_is_good_for_one_browser_and_its_cookie_is_hidden_from_scripts_and_others()
      throws Exception {
    String link = page.link();
    signedIn("/");
    assertTrue(cookie.contains("; HttpOnly; SameSite=Strict; Path=/"), cookie);
    assertTrue(cookie.startsWith("remuda-page-" + page.port() + "="), cookie);
    assertNotEquals(link, page.link());
    HttpResponse<String> again = send(HttpRequest.newBuilder(URI.create(link)));
    assertEquals(403, again.statusCode());
    assertEquals(List.of(), again.headers().allValues("Set-Cookie"));
    HttpResponse<String> same =
        send(HttpRequest.newBuilder(URI.create(link)).header("Cookie", cookie.split(";")[0]));
    assertEquals("/", same.headers().firstValue("Location").orElseThrow());
    assertEquals(403, send(request("/open")).statusCode());
    assertEquals(403, send(request("/open?code=")).statusCode());
  }

  @Test
  void the_server_is_asked_only_with_the_cookie_and_the_key() throws Exception {
    signedIn("/");
    String own = cookie.split(";")[0];
    assertEquals(401, send(request("/api/v1/top")).statusCode());
    assertEquals(401, send(request("/api/v1/top").header("Cookie", own)).statusCode());
    assertEquals(401, send(request("/api/v1/top").header("X-Remuda-Page", key)).statusCode());
    assertEquals(
        401,
        send(request("/api/v1/top").header("Cookie", own).header("X-Remuda-Page", "1"))
            .statusCode());
    assertEquals(401, send(request("/page/context.json").header("Cookie", own)).statusCode());
    assertEquals(List.of(), server.asked);
    HttpResponse<String> answer = send(signedIn("/api/v1/jobs?state=failed&limit=5"));
    assertEquals(200, answer.statusCode());
    assertEquals("{\"a\":1}", answer.body());
    assertEquals(List.of("GET /jobs?state=failed&limit=5"), server.asked);
    assertEquals("7", answer.headers().firstValue("remuda-size").orElseThrow());
    assertFalse(answer.headers().firstValue("x-y").isPresent());
    assertTrue(send(signedIn("/page/context.json")).body().contains("\"zone\":\"Europe/Berlin\""));
  }

  @Test
  void a_change_goes_with_its_body_and_the_answer_has_the_servers_status() throws Exception {
    server.status = 409;
    HttpResponse<String> answer =
        send(
            signedIn("/api/v1/jobs/change")
                .POST(HttpRequest.BodyPublishers.ofString("{\"action\":\"cancel\"}")));
    assertEquals(409, answer.statusCode());
    assertEquals(List.of("POST /jobs/change {\"action\":\"cancel\"}"), server.asked);
    assertEquals(
        403,
        send(signedIn("/api/v1/jobs/12/cancel")
                .header("Origin", "http://evil.example")
                .POST(HttpRequest.BodyPublishers.noBody()))
            .statusCode());
    assertEquals(1, server.asked.size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/users",
        "/api/v1/jobs/1/channel",
        "/api/v1/stop",
        "/api/v1/jobs/../users"
      })
  void what_is_in_no_table_is_not_passed_on(String path) throws Exception {
    assertEquals(404, send(signedIn(path)).statusCode());
    assertEquals(List.of(), server.asked);
  }

  @Test
  void a_server_that_is_away_is_said_so() throws Exception {
    server.fault = new RestFailureException(RestFailureException.NO_SERVER, "no server answers");
    HttpResponse<String> answer = send(signedIn("/api/v1/top"));
    assertEquals(502, answer.statusCode());
    assertTrue(answer.body().contains("\"code\":\"server-away\""), answer::body);
  }

  private static InputStream cut(String begin) {
    return new SequenceInputStream(
        new ByteArrayInputStream(begin.getBytes(UTF_8)),
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("cut");
          }
        });
  }

  @Test
  void a_drawing_of_an_answer_that_breaks_off_or_is_none_says_so() throws Exception {
    for (InputStream broken :
        List.of(cut("{\"from\":"), new ByteArrayInputStream("<html>".getBytes(UTF_8)))) {
      server.body = broken;
      HttpResponse<String> answer = send(signedIn("/draw/queue.svg"));
      assertEquals(502, answer.statusCode());
      assertTrue(answer.body().contains("the server's answer broke off"), answer::body);
    }
  }

  @Test
  void an_answer_that_breaks_off_does_not_pass_for_a_whole_one() throws Exception {
    server.body = cut("{\"a\":");
    HttpRequest.Builder request = signedIn("/api/v1/top");
    try {
      HttpResponse<String> answer = send(request);
      throw new AssertionError(answer.body());
    } catch (IOException cut) {
      assertEquals(1, server.asked.size());
    }
  }

  @Test
  void an_event_arrives_before_the_next_one_is_there() throws Exception {
    try (PipedOutputStream events = new PipedOutputStream()) {
      server.body = new PipedInputStream(events);
      events.write("data: 1\n\n".getBytes(UTF_8));
      HttpResponse<InputStream> answer =
          browser.send(signedIn("/api/v1/live").build(), HttpResponse.BodyHandlers.ofInputStream());
      BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), UTF_8));
      assertEquals("data: 1", lines.readLine());
      events.write("\ndata: 2\n\n".getBytes(UTF_8));
      events.flush();
      assertEquals("", lines.readLine());
      assertEquals("", lines.readLine());
      assertEquals("data: 2", lines.readLine());
    }
  }

  @Test
  void the_page_has_a_strict_policy_and_is_not_sent_twice() throws Exception {
    HttpResponse<String> first = send(request("/"));
    assertEquals(200, first.statusCode());
    String policy = first.headers().firstValue("Content-Security-Policy").orElseThrow();
    assertTrue(policy.startsWith("default-src 'none';"), policy);
    assertFalse(policy.contains("unsafe"), policy);
    assertTrue(policy.contains("frame-ancestors 'none'"), policy);
    assertEquals("nosniff", first.headers().firstValue("X-Content-Type-Options").orElseThrow());
    String tag = first.headers().firstValue("ETag").orElseThrow();
    assertEquals(304, send(request("/").header("If-None-Match", tag)).statusCode());
    HttpResponse<String> module = send(request("/main.js"));
    assertEquals(
        "text/javascript; charset=utf-8",
        module.headers().firstValue("Content-Type").orElseThrow());
    assertEquals(404, send(request("/../PageServer.class")).statusCode());
    assertEquals(404, send(request("/package-info.class")).statusCode());
    assertEquals(405, send(request("/").POST(HttpRequest.BodyPublishers.noBody())).statusCode());
  }

  @Test
  void a_name_that_somebody_else_lets_lead_here_is_refused() throws Exception {
    try (Socket socket = new Socket("127.0.0.1", page.port())) {
      socket
          .getOutputStream()
          .write("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n".getBytes(UTF_8));
      BufferedReader answer =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      assertTrue(answer.readLine().contains(" 403 "));
    }
  }
}
