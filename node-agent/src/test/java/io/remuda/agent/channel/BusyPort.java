package io.remuda.agent.channel;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A port of the loopback whose queue is full, so that the next connection waits. */
final class BusyPort implements Closeable {

  private static final int PATIENCE_MILLIS = 60_000;
  private static final String LISTENS = "0A";

  private final ServerSocket listener;
  private final List<Socket> connections = new ArrayList<>();

  private BusyPort(ServerSocket listener) {
    this.listener = listener;
  }

  /** Opens it; Linux queues one connection more than it is asked to. */
  static BusyPort open() throws Exception {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    BusyPort busy = new BusyPort(new ServerSocket(0, 1, loopback));
    busy.listener.setSoTimeout(PATIENCE_MILLIS);
    busy.connections.add(new Socket(loopback, busy.number()));
    busy.connections.add(new Socket(loopback, busy.number()));
    long until = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
    while (busy.queued() < busy.connections.size()) {
      assertTrue(System.nanoTime() < until, "the queue does not fill");
      Thread.sleep(1);
    }
    return busy;
  }

  /** The length of the queue, as the kernel tells it; a socket of Java is one of IPv6. */
  private int queued() throws IOException {
    String port = String.format(Locale.ROOT, ":%04X", number());
    List<String> rows = new ArrayList<>(Files.readAllLines(Path.of("/proc/net/tcp")));
    Path six = Path.of("/proc/net/tcp6");
    if (Files.exists(six)) {
      rows.addAll(Files.readAllLines(six));
    }
    return rows.stream()
        .map(row -> row.strip().split("\\s+"))
        .filter(fields -> fields[1].endsWith(port) && fields[3].equals(LISTENS))
        .mapToInt(fields -> Integer.parseInt(fields[4].split(":")[1], 16))
        .findFirst()
        .orElseThrow();
  }

  int number() {
    return listener.getLocalPort();
  }

  /** Accepts what is queued, and then the next connection. */
  Socket acceptNext() throws IOException {
    for (int each = 0; each < connections.size(); each++) {
      listener.accept().close();
    }
    return listener.accept();
  }

  @Override
  public void close() throws IOException {
    for (Socket one : connections) {
      one.close();
    }
    listener.close();
  }
}
