package io.remuda.coordinator.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A server that stands still: it accepts connections, gives the answers that it has, one to each
 * request, and then says nothing more, or goes on so slowly that no single wait is long.
 */
public final class StandingServer implements AutoCloseable {

  private static final long BETWEEN_DROPS_NANOS = 20_000_000;

  private final ServerSocket socket;
  private final List<String> answers;
  private final String drops;
  private final List<Socket> open = new ArrayList<>();

  private StandingServer(List<String> answers, String drops) throws IOException {
    this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.answers = new ArrayList<>(answers);
    this.drops = drops;
    start(this::run);
  }

  /** Gives these bodies, and after them no answer. */
  public static StandingServer after(String... bodies) throws IOException {
    return new StandingServer(
        List.of(bodies).stream()
            .map(body -> "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
            .toList(),
        null);
  }

  /** Begins its answer so, and goes on with one letter after the other. */
  public static StandingServer dropping(String first) throws IOException {
    return new StandingServer(List.of(), first);
  }

  public int port() {
    return socket.getLocalPort();
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "standing-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    while (!socket.isClosed()) {
      try {
        Socket connection = socket.accept();
        synchronized (open) {
          open.add(connection);
        }
        start(() -> converse(connection));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void converse(Socket connection) {
    try {
      while (readHead(connection.getInputStream())) {
        String answer = next();
        OutputStream out = connection.getOutputStream();
        if (answer != null) {
          out.write(answer.getBytes(StandardCharsets.US_ASCII));
        } else if (drops != null) {
          drop(out);
        }
      }
    } catch (IOException gone) {
      // by the client, which has had enough
    }
  }

  private void drop(OutputStream out) throws IOException {
    out.write(drops.getBytes(StandardCharsets.US_ASCII));
    while (true) {
      out.write('x');
      LockSupport.parkNanos(BETWEEN_DROPS_NANOS);
    }
  }

  private String next() {
    synchronized (open) {
      return answers.isEmpty() ? null : answers.remove(0);
    }
  }

  private static boolean readHead(InputStream in) throws IOException {
    int seen = 0;
    for (int next = in.read(); next >= 0; next = in.read()) {
      seen = next == "\r\n\r\n".charAt(seen) ? seen + 1 : next == '\r' ? 1 : 0;
      if (seen == 4) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() throws IOException {
    socket.close();
    synchronized (open) {
      for (Socket connection : open) {
        connection.close();
      }
    }
  }
}
