package io.remuda.coordinator.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.client.PinnedTls;
import io.remuda.coordinator.client.RestClient;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Predicate;
import javax.net.ssl.HttpsURLConnection;

/** A reader of {@code /live} at a server. */
public final class LiveStream implements Closeable {

  private static final int MOST_MILLIS = 60_000;
  private static final int OK = 200;

  /** An event; the id is null if it has none. */
  public record Event(String name, String id, JsonNode data) {}

  private final HttpsURLConnection connection;
  private final BufferedReader lines;

  private LiveStream(HttpsURLConnection connection) throws IOException {
    this.connection = connection;
    this.lines =
        new BufferedReader(
            new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Opens a stream.
   *
   * @param last id of the last event that is known, or null
   * @throws IOException if the server refuses it
   */
  public static LiveStream open(ServerAccessFile access, String last) throws IOException {
    HttpsURLConnection connection =
        (HttpsURLConnection) new URL(access.rest() + "/api/v1/live").openConnection();
    connection.setSSLSocketFactory(PinnedTls.to(access.pins()));
    connection.setHostnameVerifier((host, session) -> true); // the certificate is known
    connection.setRequestProperty("Authorization", "Bearer " + access.token());
    connection.setReadTimeout(MOST_MILLIS);
    if (last != null) {
      connection.setRequestProperty("Last-Event-ID", last);
    }
    if (connection.getResponseCode() != OK) {
      throw new IOException("HTTP " + connection.getResponseCode());
    }
    return new LiveStream(connection);
  }

  /** Returns the next event; fails after a minute without one. */
  public Event next() throws IOException {
    String name = null;
    String id = null;
    String data = null;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("event: ")) {
        name = line.substring("event: ".length());
      } else if (line.startsWith("id: ")) {
        id = line.substring("id: ".length());
      } else if (line.startsWith("data: ")) {
        data = line.substring("data: ".length());
      } else if (line.isEmpty() && data != null) {
        return new Event(name, id, RestClient.JSON.readTree(data));
      }
    }
    throw new IOException("the stream has ended");
  }

  /** Returns the next event of a name that is as wanted. */
  public Event next(String name, Duration limit, Predicate<JsonNode> wanted) throws IOException {
    long end = System.nanoTime() + limit.toNanos();
    Event event = next();
    while (!event.name().equals(name) || !wanted.test(event.data())) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("no such " + name + "; the last event: " + event);
      }
      event = next();
    }
    return event;
  }

  @Override
  public void close() {
    connection.disconnect();
  }
}
