package io.remuda.coordinator.rest.connection;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pekko.io.Inet;

/**
 * The sockets of the HTTP interface by remote address. Pekko HTTP closes connections above TLS, and
 * a connection in its handshake ignores that until it has been idle for a minute: 4,000 of these
 * filled the server's memory. Closing the socket itself takes effect at once. Thread-safe.
 */
public final class ClientSockets extends Inet.AbstractSocketOption {

  private final Map<SocketAddress, Socket> unasked = new ConcurrentHashMap<>();
  private final Map<SocketAddress, Socket> open = new ConcurrentHashMap<>();

  /** Adds an accepted socket; called before the server processes it. */
  @Override
  public void afterConnect(Socket socket) {
    SocketAddress farEnd = socket.getRemoteSocketAddress();
    if (farEnd != null) {
      unasked.put(farEnd, socket);
      open.put(farEnd, socket);
    }
  }

  /**
   * Ends the input of a socket without a request yet, as if the remote end had closed it; its
   * reader notices that.
   */
  public void end(InetSocketAddress farEnd) {
    Socket socket = unasked.remove(farEnd);
    if (socket != null) {
      try {
        socket.shutdownInput();
      } catch (IOException closed) {
        // it is closed already
      }
    }
  }

  /**
   * Ends the output of a socket: who waits for an answer sees that none comes, and asks another
   * server. What closes the connection afterwards can say nothing any more.
   */
  public void abort(InetSocketAddress farEnd) {
    Socket socket = open.remove(farEnd);
    if (socket != null) {
      try {
        socket.shutdownOutput();
      } catch (IOException closed) {
        // it is closed already
      }
    }
  }

  /** Notes that a request has come: its connection can now be closed above TLS. */
  public void asked(InetSocketAddress farEnd) {
    unasked.remove(farEnd);
  }

  /** Removes a socket that is closed. */
  public void forget(InetSocketAddress farEnd) {
    unasked.remove(farEnd);
    open.remove(farEnd);
  }
}
