package io.remuda.coordinator.rest;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pekko.io.Inet;

/**
 * The sockets of the HTTP interface by their far ends. Pekko HTTP ends a connection above TLS, and
 * one whose handshake is not over ignores that until it has been idle for a minute: 4,000 of those
 * were the server's memory. What ends below TLS ends at once. All threads.
 */
final class ClientSockets extends Inet.AbstractSocketOption {

  private final Map<SocketAddress, Socket> open = new ConcurrentHashMap<>();

  /** Each that was accepted, before anybody else hears of it. */
  @Override
  public void afterConnect(Socket socket) {
    SocketAddress farEnd = socket.getRemoteSocketAddress();
    if (farEnd != null) {
      open.put(farEnd, socket);
    }
  }

  /** As if the far end had closed it; what reads from it takes notice. */
  void end(InetSocketAddress farEnd) {
    Socket socket = open.remove(farEnd);
    if (socket != null) {
      try {
        socket.shutdownInput();
      } catch (IOException closed) {
        // it is gone, as it should be
      }
    }
  }

  /** One that needs no such end any more. */
  void forget(InetSocketAddress farEnd) {
    open.remove(farEnd);
  }
}
