package io.remuda.bench;

import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.client.PinnedTls;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Generates load on a job service over kept-alive HTTP connections with minimal client overhead,
 * and measures the lower bound with which the service is compared.
 */
public final class ServiceLoad {

  private static final Pattern ID = Pattern.compile("\"ids?\"\\s*:\\s*\\[?\\s*(\\d+)");

  private ServiceLoad() {}

  /**
   * Runs one of three programs: {@code floor FOLDER COUNT AT_ONCE} prints seconds; {@code submit
   * ACCESS BODY_FILE COUNT CONNECTIONS} prints seconds and the last job number; {@code paced ACCESS
   * BODY_FILE COUNT PAUSE_MILLIS} prints for each job its number and the time when it was sent, in
   * nanoseconds since 1970.
   */
  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "floor" -> floor(arguments);
      case "submit" -> submit(arguments);
      case "paced" -> paced(arguments);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  /**
   * Starts /bin/true {@code COUNT} times, {@code AT_ONCE} at a time, with its output in files, and
   * waits for each.
   */
  private static void floor(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[1]);
    int count = Integer.parseInt(arguments[2]);
    int atOnce = Integer.parseInt(arguments[3]);
    starts(folder, Math.min(count, 500), atOnce); // warm-up
    long began = System.nanoTime();
    starts(folder, count, atOnce);
    System.out.printf(Locale.ROOT, "seconds\t%.4f%n", (System.nanoTime() - began) / 1e9);
  }

  private static void starts(Path folder, int count, int atOnce) throws Exception {
    Path round = Files.createDirectories(folder.resolve("floor-" + System.nanoTime()));
    inParallel(
        atOnce,
        part -> {
          for (int index = part; index < count; index += atOnce) {
            Process process =
                new ProcessBuilder("/bin/true")
                    .redirectOutput(round.resolve(index + ".out").toFile())
                    .redirectError(round.resolve(index + ".err").toFile())
                    .start();
            if (process.waitFor() != 0) {
              throw new IllegalStateException("/bin/true failed");
            }
          }
        });
  }

  private static void submit(String[] arguments) throws Exception {
    int count = Integer.parseInt(arguments[3]);
    int connections = Integer.parseInt(arguments[4]);
    ServerAccessFile access = access(arguments);
    byte[] request = request(access, arguments);
    long[] newest = new long[connections];
    long began = System.nanoTime();
    inParallel(
        connections,
        part -> {
          try (Connection connection = new Connection(access)) {
            for (int index = part; index < count; index += connections) {
              newest[part] = Math.max(newest[part], connection.post(request));
            }
          }
        });
    double seconds = (System.nanoTime() - began) / 1e9;
    long last = 0;
    for (long one : newest) {
      last = Math.max(last, one);
    }
    System.out.printf(Locale.ROOT, "seconds\t%.4f%nlast\t%d%n", seconds, last);
  }

  private static void paced(String[] arguments) throws Exception {
    int count = Integer.parseInt(arguments[3]);
    ServerAccessFile access = access(arguments);
    byte[] request = request(access, arguments);
    try (Connection connection = new Connection(access)) {
      for (int index = 0; index < count; index++) {
        Instant now = Instant.now();
        long sent = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        long id = connection.post(request);
        System.out.println("sent\t" + id + "\t" + sent);
        Thread.sleep(Integer.parseInt(arguments[4]));
      }
    }
  }

  private static ServerAccessFile access(String[] arguments) throws IOException {
    return ServerAccessFile.read(Path.of(arguments[1])).orElseThrow();
  }

  private static byte[] request(ServerAccessFile access, String[] arguments) throws IOException {
    byte[] body = Files.readAllBytes(Path.of(arguments[2]));
    String head =
        "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
            + access.token()
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length
            + "\r\n\r\n";
    byte[] first = head.getBytes(StandardCharsets.US_ASCII);
    byte[] all = new byte[first.length + body.length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(body, 0, all, first.length, body.length);
    return all;
  }

  /** The work of one of several threads. */
  private interface Part {
    void run(int number) throws Exception;
  }

  private static void inParallel(int count, Part part) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try {
      List<Callable<Void>> calls = new ArrayList<>();
      for (int index = 0; index < count; index++) {
        int number = index;
        calls.add(
            () -> {
              part.run(number);
              return null;
            });
      }
      for (Future<Void> done : threads.invokeAll(calls)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** A kept-alive connection. */
  private static final class Connection implements Closeable {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    Connection(ServerAccessFile access) throws IOException {
      URI address = URI.create(access.rest());
      socket =
          access.mayBeInsecure()
              ? new Socket(address.getHost(), address.getPort())
              : PinnedTls.to(access.pins()).createSocket(address.getHost(), address.getPort());
      socket.setTcpNoDelay(true);
      in = new BufferedInputStream(socket.getInputStream());
      out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
    }

    /** Sends a request and returns the job number in the response. */
    long post(byte[] request) throws IOException {
      out.write(request);
      out.flush();
      String status = line();
      int length = 0;
      for (String header = line(); !header.isEmpty(); header = line()) {
        if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
          length = Integer.parseInt(header.substring(15).strip());
        }
      }
      String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
      Matcher id = ID.matcher(body);
      if (!status.contains(" 20") || !id.find()) {
        throw new IOException(status + ": " + body);
      }
      return Long.parseLong(id.group(1));
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int c = in.read(); c != '\n'; c = in.read()) {
        if (c < 0) {
          throw new EOFException("the server has closed the connection");
        }
        if (c != '\r') {
          line.append((char) c);
        }
      }
      return line.toString();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
