package io.remuda.coordinator.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.access.ServerAccess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Asks a server over HTTP, as the user whose access file it has. One thread. */
public final class RestClient {

  private static final int CONNECT_MILLIS = 3000;
  private static final int READ_MILLIS = 30_000;
  private static final String PREFIX = "/api/v1";

  /** Reads and writes what is exchanged. */
  public static final ObjectMapper JSON = JsonMapper.builder().build();

  private final ServerAccess access;

  public RestClient(ServerAccess access) {
    this.access = access;
  }

  /**
   * For the server of a state folder.
   *
   * @throws RestFailure if none was ever started there
   */
  public static RestClient of(Path home) throws IOException {
    Optional<ServerAccess> access = ServerAccess.read(home.resolve(ServerAccess.FILE));
    if (access.isEmpty() || access.get().rest() == null) {
      throw new RestFailure(
          RestFailure.NO_SERVER,
          "no server has been started in " + home + ": start one with remuda serve");
    }
    return new RestClient(access.get());
  }

  /** Whom the server takes us for. */
  public ServerAccess access() {
    return access;
  }

  public JsonNode get(String path) throws IOException {
    return json(open("GET", path, READ_MILLIS));
  }

  /** Sends {@code body}, or nothing if it is null. */
  public JsonNode post(String path, Object body) throws IOException {
    HttpURLConnection connection = open("POST", path, READ_MILLIS);
    connection.setDoOutput(true);
    byte[] bytes = body == null ? new byte[0] : JSON.writeValueAsBytes(body);
    connection.setRequestProperty("Content-Type", "application/json");
    connection.setFixedLengthStreamingMode(bytes.length);
    send(connection, bytes);
    return json(connection);
  }

  /** The body of an answer, to be read as it comes and then closed. */
  public InputStream stream(String path) throws IOException {
    return body(open("GET", path, READ_MILLIS));
  }

  /**
   * An answer with bytes.
   *
   * @param offset of the first
   * @param size of all that there is
   * @param dropped so many before the first were asked for and are there no more
   */
  public record Bytes(byte[] bytes, long offset, long size, long dropped) {}

  /** A part of what a task has printed. */
  public Bytes bytes(String path) throws IOException {
    HttpURLConnection connection = open("GET", path, READ_MILLIS);
    try (InputStream in = body(connection)) {
      return new Bytes(
          in.readAllBytes(),
          connection.getHeaderFieldLong("Remuda-Offset", 0),
          connection.getHeaderFieldLong("Remuda-Size", 0),
          connection.getHeaderFieldLong("Remuda-Dropped", 0));
    }
  }

  /** A value of a query. */
  public static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  private HttpURLConnection open(String method, String path, int readMillis) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection)
            URI.create(access.rest() + PREFIX + path).toURL().openConnection(Proxy.NO_PROXY);
    PinnedTls.apply(connection, access.pin());
    connection.setRequestMethod(method);
    connection.setConnectTimeout(CONNECT_MILLIS);
    connection.setReadTimeout(readMillis);
    connection.setRequestProperty("Authorization", "Bearer " + access.token());
    return connection;
  }

  private void send(HttpURLConnection connection, byte[] bytes) throws RestFailure {
    try (OutputStream out = connection.getOutputStream()) {
      out.write(bytes);
    } catch (IOException fault) {
      throw none(fault);
    }
  }

  private RestFailure none(IOException fault) {
    return new RestFailure(
        RestFailure.NO_SERVER,
        "no server answers at "
            + access.rest()
            + " ("
            + fault.getMessage()
            + "): start it with remuda serve",
        fault);
  }

  private JsonNode json(HttpURLConnection connection) throws IOException {
    try (InputStream in = body(connection)) {
      return JSON.readTree(in);
    }
  }

  private InputStream body(HttpURLConnection connection) throws IOException {
    int status;
    try {
      status = connection.getResponseCode();
    } catch (IOException fault) {
      throw none(fault);
    }
    if (status < HttpURLConnection.HTTP_BAD_REQUEST) {
      return connection.getInputStream();
    }
    throw new RestFailure(status, message(status, connection.getErrorStream()));
  }

  private static String message(int status, InputStream stream) {
    if (stream == null) {
      return "the server answers with status " + status;
    }
    try (InputStream in = stream) {
      JsonNode error = JSON.readTree(in).path("error");
      String message = error.path("message").asText("status " + status);
      String todo = error.path("todo").asText("");
      return todo.isEmpty() || todo.equals("null") ? message : message + " (" + todo + ")";
    } catch (IOException notJson) {
      return "the server answers with status " + status;
    }
  }
}
