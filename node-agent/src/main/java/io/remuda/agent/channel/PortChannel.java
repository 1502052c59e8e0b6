package io.remuda.agent.channel;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * A connection to a TCP port of this node's loopback interface, and to nothing else. It may still
 * be under way: until the program accepts it, no bytes are taken and none come. One thread.
 */
final class PortChannel implements TaskChannel {

  /**
   * How long the program may take to accept the connection. On the loopback only one that accepts
   * nothing lets a caller wait.
   */
  static final Duration MOST_WAIT = Duration.ofSeconds(10);

  private static final int LAST_PORT = 65_535;
  private static final List<String> LOOPBACK = List.of("127.0.0.1", "::1");

  private final int port;
  private final LongSupplier nanoClock;
  private final long since;

  /** The addresses that are still to be tried. */
  private final Iterator<String> addresses = LOOPBACK.iterator();

  /** Null only before the first address is tried. */
  private SocketChannel socket;

  private boolean endsInput;
  private boolean ended;

  /** Why there is no connection, until a reader has been told. */
  private IOException refusal;

  private PortChannel(int port, LongSupplier nanoClock) {
    this.port = port;
    this.nanoClock = nanoClock;
    this.since = nanoClock.getAsLong();
  }

  /**
   * Begins to connect; does not wait.
   *
   * @param nanoClock monotonic clock in nanoseconds
   * @throws IOException if it is no port, or nothing listens there, as far as that is known at
   *     once; the message is for the user
   */
  static PortChannel connect(int port, LongSupplier nanoClock) throws IOException {
    if (port < 1 || port > LAST_PORT) {
      throw new IOException("a port is 1 to " + LAST_PORT + ", got " + port);
    }
    PortChannel channel = new PortChannel(port, nanoClock);
    channel.tryNext();
    return channel;
  }

  /** Begins to connect to the next address at which something may listen. */
  private void tryNext() throws IOException {
    while (addresses.hasNext()) {
      InetAddress address = InetAddress.getByName(addresses.next());
      socket = SocketChannel.open();
      try {
        socket.configureBlocking(false);
        socket.connect(new InetSocketAddress(address, port));
        return;
      } catch (IOException refused) {
        socket.close();
      }
    }
    refusal =
        new IOException("nothing listens on port " + port + " of its node's loopback (127.0.0.1)");
    throw refusal;
  }

  /**
   * Returns whether the program has accepted the connection.
   *
   * @throws IOException if it never will; the message is for the user
   */
  private boolean isConnected() throws IOException {
    if (refusal != null) {
      throw refusal;
    }
    if (!socket.isConnectionPending()) {
      return true;
    }
    try {
      if (socket.finishConnect()) {
        shutInput();
        return true;
      }
    } catch (IOException refused) {
      socket.close();
      tryNext();
      return false;
    }
    if (nanoClock.getAsLong() - since > MOST_WAIT.toNanos()) {
      socket.close();
      refusal =
          new IOException(
              "what listens on port "
                  + port
                  + " of its node's loopback accepts no connection: none in "
                  + MOST_WAIT.toSeconds()
                  + " s");
      throw refusal;
    }
    return false;
  }

  /** Returns whether there is no connection and will be none. */
  private boolean isRefused() {
    try {
      isConnected();
    } catch (IOException no) {
      return refusal != null;
    }
    return false;
  }

  private void shutInput() throws IOException {
    if (endsInput) {
      socket.shutdownOutput();
    }
  }

  @Override
  public int write(byte[] bytes, int from) throws IOException {
    if (ended || isRefused() || !isConnected()) {
      return 0; // the reader is told why
    }
    ByteBuffer rest = ByteBuffer.wrap(bytes, from, bytes.length - from);
    int before = rest.remaining();
    socket.write(rest);
    return before - rest.remaining();
  }

  @Override
  public void endInput() throws IOException {
    endsInput = true;
    if (socket.isConnected()) {
      try {
        shutInput();
      } catch (IOException gone) {
        ended = true; // the other side has closed it
      }
    }
  }

  @Override
  public int read(byte[] into) throws IOException {
    if (ended) {
      return ENDED;
    }
    if (isRefused()) {
      ended = true;
      throw refusal;
    }
    if (!isConnected()) {
      return 0;
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
