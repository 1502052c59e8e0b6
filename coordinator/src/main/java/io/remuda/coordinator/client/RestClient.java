package io.remuda.coordinator.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.agent.settings.OwnFolders;
import io.remuda.coordinator.access.ServerAccess;
import io.remuda.coordinator.client.ServerConnection.Response;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Asks a server over HTTP, as the user whose access file it has. Connections are kept, and the
 * access file is read anew for each new one: a server that was started again may be elsewhere. Any
 * thread.
 */
public final class RestClient {

  private static final int READ_MILLIS = 30_000;
  private static final int NOT_GOOD = 300; // redirects are not followed
  private static final int MOST_IDLE = 4;
  static final String PREFIX = "/api/v1";

  /** Reads and writes what is exchanged. */
  public static final ObjectMapper JSON = JsonMapper.builder().build();

  /** Where a server is, now. */
  private interface ServerLocator {
    ServerAccess access() throws IOException;
  }

  private final AtomicReference<ServerAccess> first;
  private final boolean insecure;
  private final ServerLocator place;
  private final ConcurrentLinkedDeque<ServerConnection> idle = new ConcurrentLinkedDeque<>();

  private RestClient(ServerAccess first, ServerLocator place) {
    this.first = new AtomicReference<>(first);
    this.insecure = first.isInsecure();
    this.place = place;
  }

  /** For a server that stays where it is. */
  public RestClient(ServerAccess access) {
    this(access, () -> access);
  }

  /**
   * For the server of a state folder.
   *
   * @throws RestFailure if none was ever started there
   */
  public static RestClient of(Path home) throws IOException {
    return new RestClient(read(home), () -> read(home));
  }

  private static ServerAccess read(Path home) throws IOException {
    OwnFolders.requirePrivate(home, "REMUDA_HOME");
    Optional<ServerAccess> access = ServerAccess.read(home.resolve(ServerAccess.FILE));
    if (access.isEmpty() || access.get().rest() == null) {
      throw new RestFailure(
          RestFailure.NO_SERVER,
          "no server has been started in " + home + ": start one with remuda serve");
    }
    return access.get();
  }

  /** As what user, and where, the server is asked. */
  public ServerAccess access() throws IOException {
    return place.access();
  }

  /** Whether tokens go in clear text, as the server's owner has chosen. */
  public boolean isInsecure() {
    return insecure;
  }

  public JsonNode get(String path) throws IOException {
    return json(exchange("GET", path, null));
  }

  /** Sends {@code body}, or nothing if it is null. */
  public JsonNode post(String path, Object body) throws IOException {
    return json(exchange("POST", path, body == null ? new byte[0] : JSON.writeValueAsBytes(body)));
  }

  /** The body of an answer, to be read as it comes and then closed. */
  public InputStream stream(String path) throws IOException {
    return exchange("GET", path, null).body();
  }

  /**
   * An answer with bytes.
   *
   * @param offset of the first
   * @param size of all that there is
   * @param dropped so many before the first were asked for and are there no more
   */
  public record OutputChunk(byte[] bytes, long offset, long size, long dropped) {}

  /** A part of what a task has printed. */
  public OutputChunk bytes(String path) throws IOException {
    Response answer = exchange("GET", path, null);
    try (InputStream in = answer.body()) {
      return new OutputChunk(
          in.readAllBytes(),
          number(answer, "remuda-offset"),
          number(answer, "remuda-size"),
          number(answer, "remuda-dropped"));
    }
  }

  private static long number(Response answer, String header) {
    return Long.parseLong(answer.headers().getOrDefault(header, "0"));
  }

  /** A value of a query. */
  public static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /** An answer that is good. */
  private Response exchange(String method, String path, byte[] body) throws IOException {
    Response answer = ask(method, PREFIX + path, body);
    if (answer.status() >= NOT_GOOD) {
      throw new RestFailure(answer.status(), message(answer));
    }
    return answer;
  }

  /**
   * On a kept connection, which the server may just have closed, then on a new one. All that is
   * asked may be asked twice: reads, changes to a state, and submissions, which carry a key.
   */
  private Response ask(String method, String path, byte[] body) throws IOException {
    for (ServerConnection kept = kept(); kept != null; kept = kept()) {
      try {
        return ask(kept, method, path, body);
      } catch (SocketTimeoutException slow) {
        throw none(slow, place.access());
      } catch (IOException closed) {
        continue;
      }
    }
    ServerAccess read = first.getAndSet(null);
    ServerAccess access = read == null ? place.access() : read;
    try {
      return ask(ServerConnection.open(access), method, path, body);
    } catch (RestFailure refused) {
      throw refused;
    } catch (IOException fault) {
      throw none(fault, access);
    }
  }

  private Response ask(ServerConnection connection, String method, String path, byte[] body)
      throws IOException {
    try {
      return connection.ask(method, path, body, READ_MILLIS, this::keep);
    } catch (IOException fault) {
      connection.close();
      throw fault;
    }
  }

  private ServerConnection kept() {
    ServerConnection kept = idle.pollLast();
    if (kept == null || kept.isFresh()) {
      return kept;
    }
    kept.close();
    return kept();
  }

  private void keep(ServerConnection connection) {
    if (idle.size() < MOST_IDLE) {
      idle.add(connection);
    } else {
      connection.close();
    }
  }

  private static RestFailure none(IOException fault, ServerAccess access) {
    String message =
        fault instanceof ServerConnection.NotThisServer
            ? "what listens at "
                + access.rest()
                + " is not this server, and was told nothing ("
                + fault.getMessage()
                + "): start the server with remuda serve"
            : "no server answers at "
                + access.rest()
                + " ("
                + fault.getMessage()
                + "): start it with remuda serve";
    return new RestFailure(RestFailure.NO_SERVER, message, fault);
  }

  private static JsonNode json(Response answer) throws IOException {
    try (InputStream in = answer.body()) {
      return JSON.readTree(in.readAllBytes());
    }
  }

  private static String message(Response answer) {
    try (InputStream in = answer.body()) {
      JsonNode error = JSON.readTree(in.readAllBytes()).path("error");
      String message = error.path("message").asText("status " + answer.status());
      String todo = error.path("todo").asText("");
      return todo.isEmpty() || todo.equals("null") ? message : message + " (" + todo + ")";
    } catch (IOException notJson) {
      return "the server answers with status " + answer.status();
    }
  }
}
