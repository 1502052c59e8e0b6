package io.remuda.agent.keeper;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The keeper's socket. Exits are told to the newest client that has said hello; older ones are
 * closed, so that each knows that it is not the one any more.
 */
final class KeeperServer {
  private static final int CLIENT_LIMIT = 32;
  private static final long FLUSH_MILLIS = 300;

  private final Keeper keeper;
  private final ServerSocketChannel socket;
  private final Path path;
  private final List<KeeperSession> sessions = new ArrayList<>();

  private KeeperServer(Keeper keeper, ServerSocketChannel socket, Path path) {
    this.keeper = keeper;
    this.socket = socket;
    this.path = path;
  }

  /** Replaces what an ended keeper has left at this path. */
  static KeeperServer open(Keeper keeper, Path path) throws IOException {
    Files.deleteIfExists(path);
    ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    socket.bind(UnixDomainSocketAddress.of(path));
    return new KeeperServer(keeper, socket, path);
  }

  /** Accepts on a thread of its own. */
  void start() {
    Thread thread = new Thread(this::acceptAll, "door");
    thread.setDaemon(true);
    thread.start();
  }

  void exited(TaskView view) {
    KeeperSession newest = newest();
    if (newest != null) {
      newest.send(new FrameWriter(KeeperProtocol.EXITED, 0).view(view).frame());
    }
  }

  /** Lets what was said reach the clients, then leaves. */
  void close() throws IOException, InterruptedException {
    Files.deleteIfExists(path);
    for (KeeperSession session : sessions()) {
      session.flush(FLUSH_MILLIS);
    }
    socket.close();
  }

  private void acceptAll() {
    while (socket.isOpen()) {
      try {
        accept(socket.accept());
      } catch (IOException | RuntimeException | OutOfMemoryError fault) {
        pauseAfter(fault);
      }
    }
  }

  private void accept(SocketChannel channel) throws IOException {
    if (sessions().size() >= CLIENT_LIMIT && !closeOldestStranger()) {
      channel.close();
      return;
    }
    KeeperSession session;
    try {
      session = new KeeperSession(keeper, channel, this::greets, this::left);
    } catch (IOException | RuntimeException fault) {
      channel.close();
      throw fault;
    }
    synchronized (sessions) {
      sessions.add(session);
    }
    keeper.clientCame();
    session.start();
  }

  /** Makes room: those that connect and say nothing must not keep the agent out. */
  private boolean closeOldestStranger() {
    for (KeeperSession session : sessions()) {
      if (!session.greeted()) {
        synchronized (sessions) {
          sessions.remove(session);
        }
        session.close();
        return true;
      }
    }
    return false;
  }

  /** Of two that say hello at once the one that is numbered later stays. */
  private void greets(KeeperSession newest) {
    List<KeeperSession> older = new ArrayList<>();
    synchronized (sessions) {
      for (KeeperSession session : sessions) {
        if (session.greeted()) {
          older.add(session);
        }
      }
      newest.numbered(keeper.clientGreeted());
    }
    older.forEach(KeeperSession::close);
  }

  private void left(KeeperSession session) {
    synchronized (sessions) {
      sessions.remove(session);
    }
    keeper.clientLeft(session.number());
  }

  private KeeperSession newest() {
    KeeperSession newest = null;
    for (KeeperSession session : sessions()) {
      boolean newer = newest == null || session.number() > newest.number();
      newest = session.greeted() && newer ? session : newest;
    }
    return newest;
  }

  private List<KeeperSession> sessions() {
    synchronized (sessions) {
      return new ArrayList<>(sessions);
    }
  }

  /** As when no descriptor is free: trying again at once would only burn the processor. */
  private void pauseAfter(Throwable fault) {
    if (socket.isOpen()) {
      KeeperLog.line("keeper: no client accepted: " + fault);
      try {
        Thread.sleep(100);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
