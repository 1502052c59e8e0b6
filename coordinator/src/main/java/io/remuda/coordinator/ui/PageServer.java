package io.remuda.coordinator.ui;

import com.sun.net.httpserver.HttpServer;
import io.remuda.coordinator.client.RelayedAnswer;
import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Listens on this machine's loopback for a browser. Any thread. */
public final class PageServer implements AutoCloseable {

  /** Connections that may be served at once; a browser has six, of which some wait for events. */
  private static final int MOST_AT_ONCE = 128;

  private static final int BACKLOG = 64;
  private static final long IDLE_SECONDS = 10;

  /** The server whose state the page shows. */
  public interface ShownServer {
    /**
     * Sends a request to it.
     *
     * @param path below {@code /api/v1}, with its query
     * @param body null for none
     * @throws IOException if it does not answer
     */
    RelayedAnswer ask(String method, String path, byte[] body) throws IOException;

    /** Returns who looks at what; it needs no answer of the server. */
    PageContext context() throws IOException;
  }

  private final HttpServer server;
  private final ExecutorService threads;
  private final PageSecrets secrets;

  private PageServer(HttpServer server, ExecutorService threads, PageSecrets secrets) {
    this.server = server;
    this.threads = threads;
    this.secrets = secrets;
  }

  /**
   * Begins to listen.
   *
   * @param port on 127.0.0.1; 0 for any that is free
   * @param linkUsed called on a thread of the server when a browser has opened the link: there is
   *     another one then
   * @throws java.net.BindException if the port is in use
   */
  public static PageServer listen(int port, ShownServer shown, Runnable linkUsed)
      throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), BACKLOG);
    PageSecrets secrets = new PageSecrets();
    ExecutorService threads = threads();
    int chosen = server.getAddress().getPort();
    server.setExecutor(threads);
    server.createContext("/", new PageHandler(chosen, secrets, shown, linkUsed));
    server.start();
    return new PageServer(server, threads, secrets);
  }

  private static ExecutorService threads() {
    AtomicInteger count = new AtomicInteger();
    return new ThreadPoolExecutor(
        0,
        MOST_AT_ONCE,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        work -> {
          return DaemonThread.of("page-" + count.incrementAndGet(), work);
        });
  }

  /** Returns the port on which it listens. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Returns the address for a browser, which is good for one. */
  public String link() {
    return "http://127.0.0.1:" + port() + PageHandler.OPEN + "?code=" + secrets.code();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
