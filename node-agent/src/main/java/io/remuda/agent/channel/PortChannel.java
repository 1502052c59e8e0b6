package io.remuda.agent.channel;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;

/** A connection to a TCP port of this node's loopback interface, and to nothing else. */
final class PortChannel implements TaskChannel {

  private static final int LAST_PORT = 65_535;
  private static final List<String> LOOPBACK = List.of("127.0.0.1", "::1");

  /** On the loopback only a server that accepts nothing lets a caller wait. */
  private static final int MOST_WAIT_MILLIS = 300;

  private final SocketChannel socket;
  private boolean ended;

  private PortChannel(SocketChannel socket) {
    this.socket = socket;
  }

  /**
   * Connects.
   *
   * @throws IOException if nothing listens there; the message is for the user
   */
  static PortChannel connect(int port) throws IOException {
    if (port < 1 || port > LAST_PORT) {
      throw new IOException("a port is 1 to " + LAST_PORT + ", got " + port);
    }
    for (String address : LOOPBACK) {
      SocketChannel socket = SocketChannel.open();
      try {
        socket
            .socket()
            .connect(new InetSocketAddress(InetAddress.getByName(address), port), MOST_WAIT_MILLIS);
        socket.configureBlocking(false);
        return new PortChannel(socket);
      } catch (IOException refused) {
        socket.close();
      }
    }
    throw new IOException(
        "nothing listens on port " + port + " of its node's loopback (127.0.0.1)");
  }

  @Override
  public int write(byte[] bytes, int from) throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(bytes, from, bytes.length - from);
    int before = rest.remaining();
    socket.write(rest);
    return before - rest.remaining();
  }

  @Override
  public void endInput() throws IOException {
    if (socket.isOpen()) {
      try {
        socket.shutdownOutput();
      } catch (IOException gone) {
        ended = true; // the other side has closed it
      }
    }
  }

  @Override
  public int read(byte[] into) {
    if (ended) {
      return ENDED;
    }
    try {
      int count = socket.read(ByteBuffer.wrap(into));
      ended = count < 0;
      return count < 0 ? ENDED : count;
    } catch (IOException broken) {
      ended = true;
      return ENDED;
    }
  }

  @Override
  public int unread() {
    return 0; // what the socket has taken counts as read
  }

  @Override
  public void attemptEnded() throws IOException {
    ended = true;
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
