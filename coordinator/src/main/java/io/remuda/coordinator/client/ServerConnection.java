package io.remuda.coordinator.client;

import io.remuda.agent.protocol.ClusterTls;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.thread.DaemonThread;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/**
 * A kept HTTP/1.1 connection to a server that has proved to be the one of the access file. Before
 * that proof no byte of a request is sent, and so no token. It follows no redirects and uses no
 * proxy. One thread at a time.
 */
final class ServerConnection implements Closeable {

  private static final int CONNECT_MILLIS = 3000;
  private static final int HANDSHAKE_MILLIS = 5000;
  private static final long KEEP_NANOS = 30_000_000_000L; // the server closes after 60 s
  private static final int BUFFER = 1 << 16;
  private static final int LONGEST_HEAD = 1 << 16;

  private final Socket raw;
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final String authorization;
  private final String host;
  private long used = System.nanoTime();

  /** Whether it was closed here since an answer was late. */
  private volatile boolean late;

  private ScheduledFuture<?> answerLimit; // of the request that is answered; null if it has no end

  /**
   * @param raw what is below {@code socket}: to close TLS waits for who writes to it
   */
  private ServerConnection(Socket raw, Socket socket, String host, String token)
      throws IOException {
    this.raw = raw;
    this.socket = socket;
    this.host = host;
    this.in = new BufferedInputStream(socket.getInputStream(), BUFFER);
    this.out = socket.getOutputStream();
    this.authorization = "Bearer " + token;
  }

  /**
   * A response.
   *
   * @param headers headers by lower-case name
   * @param body closing it before its end closes the connection
   */
  record Response(int status, Map<String, String> headers, InputStream body) {}

  /** Receives the connection when a response was read to its end. */
  interface Idle {
    void add(ServerConnection connection);
  }

  /**
   * Connects, and lets the server prove its identity, until {@code end} at the latest.
   *
   * @throws RestFailureException if the access file is one that {@link #requireProof} refuses
   * @throws NotThisServerException if another program listens there
   * @throws IOException if nothing listens there, or the connection is lost
   */
  static ServerConnection open(ServerAccessFile access, RequestEnd end) throws IOException {
    requireProof(access);
    URI address = URI.create(access.rest());
    Socket socket = new Socket(Proxy.NO_PROXY);
    try {
      socket.setTcpNoDelay(true);
      RequestEnd connected = end.orIn(Duration.ofMillis(CONNECT_MILLIS));
      InetSocketAddress found =
          AddressLookup.of(address.getHost(), address.getPort(), connected.millis(CONNECT_MILLIS));
      socket.connect(found, connected.millis(CONNECT_MILLIS));
      Socket proved =
          access.mayBeInsecure()
              ? socket
              : handshake(socket, address, access, end.millis(HANDSHAKE_MILLIS));
      return new ServerConnection(socket, proved, address.getRawAuthority(), access.token());
    } catch (IOException | RuntimeException fault) {
      socket.close();
      throw fault;
    }
  }

  /** Refuses an access file with which the token would be sent to any program on the port. */
  static void requireProof(ServerAccessFile access) throws RestFailureException {
    if (!access.isOfOlderBuild()) {
      return;
    }
    throw access.isOwners()
        ? new RestFailureException(
            RestFailureException.NO_SERVER,
            "the access file is from an earlier build, which sent its token in clear text to whatever"
                + " listened at "
                + access.rest()
                + "; nothing was sent now: end that server if it still runs (SIGTERM; its tasks run"
                + " on), and start this build's with remuda serve, which makes a new token")
        : new RestFailureException(
            RestFailureException.REFUSED_HERE,
            "the access file is from an earlier build, which sent its token in clear text to whatever"
                + " listened at "
                + access.rest()
                + "; nothing was sent now: ask the owner of the server for a new one (remuda user"
                + " add "
                + access.user()
                + ")");
  }

  private static SSLSocket handshake(
      Socket socket, URI address, ServerAccessFile access, int millis) throws IOException {
    SSLSocket tls =
        (SSLSocket)
            PinnedTls.to(access.pins())
                .createSocket(socket, address.getHost(), address.getPort(), true);
    tls.setSSLParameters(ClusterTls.chosen(tls.getSSLParameters()));
    tls.setSoTimeout(millis);
    AtomicBoolean late = new AtomicBoolean();
    Runnable close =
        () -> {
          late.set(true);
          close(socket);
        };
    ScheduledFuture<?> limit = SlowAnswerLimit.TIMER.schedule(close, millis, TimeUnit.MILLISECONDS);
    try {
      tls.startHandshake();
      return tls;
    } catch (IOException fault) {
      if (fault instanceof SocketTimeoutException || late.get()) {
        throw new SilentServerException("no proof in " + seconds(millis), fault);
      }
      if (!(fault instanceof SSLException)) {
        throw fault;
      }
      if (fault.getCause() instanceof EOFException) {
        throw new IOException("it has closed the connection", fault);
      }
      throw new NotThisServerException(fault);
    } finally {
      limit.cancel(false);
    }
  }

  /** The timer that bounds whole exchanges; socket timeouts bound only single reads. */
  private static final class SlowAnswerLimit {
    private static final ScheduledThreadPoolExecutor TIMER =
        new ScheduledThreadPoolExecutor(1, SlowAnswerLimit::thread);

    static {
      TIMER.setRemoveOnCancelPolicy(true);
    }

    private static Thread thread(Runnable work) {
      return DaemonThread.of("handshake-limit", work);
    }
  }

  /** Thrown if another program listens at the server's address. No request was sent to it. */
  static final class NotThisServerException extends SSLException {
    private static final long serialVersionUID = 1;

    private NotThisServerException(IOException cause) {
      super("it did not prove to be this server: " + cause.getMessage(), cause);
    }
  }

  /** Thrown if somebody accepts connections there and does not answer, as a stopped process. */
  static final class SilentServerException extends SocketTimeoutException {
    private static final long serialVersionUID = 1;

    private SilentServerException(String message, IOException cause) {
      super(message);
      initCause(cause);
    }
  }

  private static String seconds(int millis) {
    return Math.max(1, Math.round(millis / 1000.0)) + " s";
  }

  /** Returns whether it has been idle for too short a time for the server to close it. */
  boolean isFresh() {
    return System.nanoTime() - used < KEEP_NANOS;
  }

  /**
   * Sends a request and reads the head of the response.
   *
   * @param path printable ASCII without blanks
   * @param body body of the request, or null
   * @param readMillis maximum wait for each part of the response, and for sending the request
   * @param end when the connection is closed if the response was not read to its end
   * @param idle receives this connection when the response was read
   */
  Response ask(String method, String path, byte[] body, int readMillis, RequestEnd end, Idle idle)
      throws IOException {
    if (!path.chars().allMatch(one -> one > ' ' && one < 0x7f)) {
      throw new IllegalArgumentException("not a path: " + path);
    }
    int millis = end.millis(readMillis);
    socket.setSoTimeout(millis);
    if (end.nanos().isPresent()) {
      answerLimit =
          SlowAnswerLimit.TIMER.schedule(this::giveUp, end.leftMillis(), TimeUnit.MILLISECONDS);
    }
    StringBuilder head = new StringBuilder(256);
    head.append(method).append(' ').append(path).append(" HTTP/1.1\r\nHost: ").append(host);
    head.append("\r\nAuthorization: ").append(authorization);
    if (body != null) {
      head.append("\r\nContent-Type: application/json\r\nContent-Length: ").append(body.length);
    }
    byte[] first = head.append("\r\n\r\n").toString().getBytes(StandardCharsets.US_ASCII);
    byte[] request = Arrays.copyOf(first, first.length + (body == null ? 0 : body.length));
    if (body != null) {
      System.arraycopy(body, 0, request, first.length, body.length);
    }
    try {
      write(request, millis);
      return answer(idle);
    } catch (IOException lost) {
      throw lost instanceof SocketTimeoutException || late || end.isOver()
          ? new SilentServerException("no answer in " + seconds(millis), lost)
          : lost;
    }
  }

  /**
   * Writes a request. A server may refuse a long one before it has read all of it; then the rest
   * cannot be written, but the response has the reason.
   */
  private void write(byte[] request, int millis) throws IOException {
    ScheduledFuture<?> limit =
        SlowAnswerLimit.TIMER.schedule(this::giveUp, millis, TimeUnit.MILLISECONDS);
    try {
      out.write(request);
      out.flush();
    } catch (IOException fault) {
      if (raw.isClosed() || socket.isClosed() || request.length < BUFFER) {
        throw fault;
      }
    } finally {
      limit.cancel(false);
    }
  }

  /** Closes it because an answer is late: whoever reads or writes learns it by a fault. */
  private void giveUp() {
    late = true;
    close(raw);
  }

  private Response answer(Idle idle) throws IOException {
    int status = status(line());
    Map<String, String> headers = new HashMap<>();
    int size = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      size += line.length();
      if (colon < 1 || size > LONGEST_HEAD) {
        throw new IOException("the server did not answer with HTTP");
      }
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    boolean bounded =
        headers.containsKey("content-length") || HttpResponseBodyStream.isChunked(headers);
    boolean kept = bounded && !"close".equalsIgnoreCase(headers.get("connection"));
    Runnable end = () -> over(kept, idle);
    return new Response(status, headers, new HttpResponseBodyStream(in, headers, end, this));
  }

  private void over(boolean kept, Idle idle) {
    used = System.nanoTime();
    cancelLimit();
    if (kept && !raw.isClosed()) {
      idle.add(this);
    } else {
      close();
    }
  }

  private static int status(String line) throws IOException {
    if (!line.matches("HTTP/1\\.1 [2-5]\\d\\d( .*)?")) {
      throw new IOException("the server did not answer with HTTP");
    }
    return Integer.parseInt(line.substring(9, 12));
  }

  private String line() throws IOException {
    return line(in);
  }

  /** Reads a line, without its end. */
  static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the server has closed the connection");
      }
      if (line.length() > LONGEST_HEAD) {
        throw new IOException("the server did not answer with HTTP");
      }
      line.append((char) next);
    }
    int last = line.length() - 1;
    return last >= 0 && line.charAt(last) == '\r' ? line.substring(0, last) : line.toString();
  }

  @Override
  public void close() {
    cancelLimit();
    close(socket);
    close(raw);
  }

  private void cancelLimit() {
    if (answerLimit != null) {
      answerLimit.cancel(false);
      answerLimit = null;
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException goneAlready) {
      // it is closed already
    }
  }

  /** Looks names of servers up, for no longer than there is time: the resolver knows no end. */
  private static final class AddressLookup {

    private AddressLookup() {}

    /** Returns the address of a name or number. */
    static InetSocketAddress of(String host, int port, int millis) throws IOException {
      if (host.matches("[0-9.]+|.*:.*")) { // a number, which is not looked up
        return new InetSocketAddress(host, port);
      }
      CompletableFuture<InetAddress> found = new CompletableFuture<>();
      DaemonThread.start("address-lookup", () -> look(host, found));
      try {
        return new InetSocketAddress(found.get(millis, TimeUnit.MILLISECONDS), port);
      } catch (ExecutionException unknown) {
        throw new IOException("there is no host " + host, unknown.getCause());
      } catch (TimeoutException late) {
        throw new SocketTimeoutException("the address of " + host + " was not found in time");
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", stop);
      }
    }

    private static void look(String host, CompletableFuture<InetAddress> found) {
      try {
        found.complete(InetAddress.getByName(host));
      } catch (IOException | RuntimeException unknown) {
        found.completeExceptionally(unknown);
      }
    }
  }
}
