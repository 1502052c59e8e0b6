package io.remuda.coordinator.client;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads server-sent events one by one as they arrive. */
public final class EventReader implements Closeable {

  /** An event, with the lines of its data joined. */
  public record Event(String type, String data) {}

  private final BufferedReader lines;

  public EventReader(InputStream stream) {
    lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
  }

  /**
   * Returns the next event, or nothing if the server has closed the stream.
   *
   * @throws InterruptedIOException if the thread is interrupted, which is looked at with each line:
   *     within the 10 s after which a server that has nothing to say sends one. The thread is still
   *     interrupted then
   */
  public Optional<Event> next() throws IOException {
    String type = "message";
    StringBuilder data = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted");
      }
      if (line.startsWith("event:")) {
        type = line.substring("event:".length()).trim();
      } else if (line.startsWith("data:")) {
        data.append(data.isEmpty() ? "" : "\n").append(line.substring("data:".length()).strip());
      } else if (line.isEmpty() && !data.isEmpty()) {
        return Optional.of(new Event(type, data.toString()));
      }
    }
    return Optional.empty();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
