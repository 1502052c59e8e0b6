package io.remuda.coordinator.cli.job;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A server that shows jobs which the test makes up. Each has one task that prints one line. */
public final class FakeServer implements AutoCloseable {

  /** The exit code of what fails. */
  static final int FAILED = 7;

  private final HttpServer http;
  private final Map<String, String> answers = new LinkedHashMap<>();
  private final Map<String, String> later = new LinkedHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  public FakeServer() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.setExecutor(threads);
    http.createContext("/", this::answerAny);
    http.start();
  }

  public RestClient client() {
    String rest = "http://127.0.0.1:" + http.getAddress().getPort();
    return new RestClient(
        new ServerAccessFile(1, null, null, null, rest, null, true, "ann", "token"));
  }

  /** A job whose details are these, without its number. */
  FakeServer job(int id, String details) {
    http.createContext("/api/v1/jobs/" + id, exchange -> answer(exchange, id, details));
    http.createContext(
        "/api/v1/jobs/" + id + "/tasks",
        exchange ->
            answer(exchange, "{\"tasks\":[{\"id\":\"" + id + ".0\",\"state\":\"running\"}]}"));
    return this;
  }

  /**
   * What the server answers to requests whose path and query begin with this, if with no longer
   * one; nothing is for what there is not.
   */
  public FakeServer answers(String path, String json) {
    answers.put(path, json);
    return this;
  }

  /** What the server answers from the second request on that begins with this. */
  FakeServer then(String path, String json) {
    later.put(path, json);
    return this;
  }

  /** Returns the requests that were answered by {@link #answers}, in their order. */
  public List<String> requests() {
    return requests;
  }

  /** Returns the bodies of these requests. */
  public List<String> bodies() {
    return bodies;
  }

  private void answerAny(HttpExchange exchange) throws IOException {
    String target = exchange.getRequestURI().toString().replaceFirst("^/api/v1", "");
    bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    requests.add(exchange.getRequestMethod() + " " + target);
    String json =
        answers.entrySet().stream()
            .filter(answer -> target.startsWith(answer.getKey()))
            .max(Comparator.comparing(answer -> answer.getKey().length()))
            .map(Map.Entry::getValue)
            .orElse("{}");
    later.forEach(
        (path, next) -> {
          if (target.startsWith(path)) {
            answers.put(path, next);
          }
        });
    answer(exchange, json);
  }

  private static void answer(HttpExchange exchange, int id, String details) throws IOException {
    answer(exchange, "{\"id\":" + id + "," + details + "}");
  }

  private static void answer(HttpExchange exchange, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(body.length == 0 ? 404 : 200, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  /**
   * Lets a job's task print a line; the job ends once {@code end} is open, with {@link #FAILED} if
   * it fails, and is lost otherwise.
   */
  FakeServer prints(int id, int task, String line, CountDownLatch end, String state) {
    http.createContext(
        "/api/v1/jobs/" + id + "/output",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          OutputStream out = exchange.getResponseBody();
          String data = Base64.getEncoder().encodeToString(line.getBytes(StandardCharsets.UTF_8));
          String printed = "{\"task\":\"%d.%d\",\"attempt\":1,\"offset\":0,\"data\":\"%s\"}";
          write(out, "out", printed.formatted(id, task, data));
          String how = await(end) ? state : "lost";
          String code = how.equals("failed") ? ",\"exitCode\":" + FAILED : "";
          write(out, "end", "{\"id\":" + id + ",\"state\":\"" + how + "\"" + code + "}");
          exchange.close();
        });
    return this;
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void write(OutputStream out, String type, String data) throws IOException {
    out.write(("event: " + type + "\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
