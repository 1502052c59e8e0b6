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

  private final Map<SocketAddress, Socket> open = new ConcurrentHashMap<>();

  /** Adds an accepted socket; called before the server processes it. */
  @Override
  public void afterConnect(Socket socket) {
    SocketAddress farEnd = socket.getRemoteSocketAddress();
    if (farEnd != null) {
      open.put(farEnd, socket);
    }
  }

  /** Ends a socket's input, as if the remote end had closed it; its reader notices that. */
  public void end(InetSocketAddress farEnd) {
    Socket socket = open.remove(farEnd);
    if (socket != null) {
      try {
        socket.shutdownInput();
      } catch (IOException closed) {
        // it is closed already
      }
    }
  }

  /** Removes a socket: its connection can now be closed above TLS, or is closed. */
  public void forget(InetSocketAddress farEnd) {
    open.remove(farEnd);
  }
}
