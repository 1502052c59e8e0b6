package io.remuda.coordinator.cli.channel;

import io.remuda.coordinator.client.RestClient;
import io.remuda.thread.DaemonThread;
import io.remuda.worker.job.TaskId;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Listens on this machine's loopback, and carries each connection to a port of a task's node. Each
 * one has two threads and a client of its own, since its requests wait.
 */
final class PortForward implements AutoCloseable {

  private static final int BACKLOG = 50;

  /** After a connection that could not be accepted. */
  private static final long PAUSE_NANOS = 200_000_000;

  /** Opens connections to the server. */
  interface Clients {
    RestClient client() throws IOException, InterruptedException;
  }

  /** Hears why a connection could not be made. */
  interface Faults {
    void cannotConnect(String why);
  }

  private final ServerSocket listener;
  private final Clients clients;
  private final TaskId task;
  private final int port;
  private final Faults faults;

  private PortForward(
      ServerSocket listener, Clients clients, TaskId task, int port, Faults faults) {
    this.listener = listener;
    this.clients = clients;
    this.task = task;
    this.port = port;
    this.faults = faults;
  }

  /**
   * Begins to listen.
   *
   * @param local port on 127.0.0.1; 0 for any that is free
   * @throws java.net.BindException if the port is in use
   */
  static PortForward listen(Clients clients, TaskId task, int local, int port, Faults faults)
      throws IOException {
    ServerSocket listener = new ServerSocket();
    try {
      listener.setReuseAddress(true);
      listener.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), local), BACKLOG);
    } catch (IOException inUse) {
      listener.close();
      throw inUse;
    }
    PortForward forward = new PortForward(listener, clients, task, port, faults);
    DaemonThread.start("forward", forward::accept);
    return forward;
  }

  /** Returns the port on which it listens. */
  int local() {
    return listener.getLocalPort();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        DaemonThread.start("connection", () -> serve(socket));
      } catch (IOException fault) {
        if (!listener.isClosed()) { // as with too many open files: some may be closed soon
          faults.cannotConnect("a connection cannot be accepted: " + fault.getMessage());
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      TaskLink link;
      try {
        link = TaskLink.open(clients.client(), task, "port:" + port, Map.of());
      } catch (IOException refused) {
        faults.cannotConnect(refused.getMessage());
        return;
      }
      socket.setTcpNoDelay(true);
      Thread upload = DaemonThread.start("upload", () -> upload(socket, link));
      try {
        download(link, socket.getOutputStream());
        socket.shutdownOutput();
        upload.join();
      } finally {
        link.close();
      }
    } catch (IOException closed) {
      // by the program here
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  private static void download(TaskLink link, OutputStream to)
      throws IOException, InterruptedException {
    for (byte[] part = link.receive(); part != null; part = link.receive()) {
      to.write(part);
    }
  }

  private static void upload(Socket socket, TaskLink link) {
    byte[] buffer = new byte[TaskLink.PART];
    try {
      InputStream from = socket.getInputStream();
      boolean taken = true;
      for (int count = from.read(buffer); taken && count >= 0; count = from.read(buffer)) {
        taken = link.send(Arrays.copyOf(buffer, count), false);
      }
      link.send(new byte[0], true);
    } catch (IOException closed) {
      // the connection is over
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
