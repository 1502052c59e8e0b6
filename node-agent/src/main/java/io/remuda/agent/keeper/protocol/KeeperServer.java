package io.remuda.agent.keeper.protocol;

import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.proc.KeeperLog;
import io.remuda.agent.keeper.task.Keeper;
import io.remuda.thread.DaemonThread;
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
 * The keeper's socket. Exits are sent to the newest client that has sent its hello; older ones are
 * closed, so that each learns that it was replaced.
 */
public final class KeeperServer {
  private static final int CLIENT_LIMIT = 32;
  private static final long FLUSH_MILLIS = 300;

  private final Keeper keeper;
  private final ServerSocketChannel socket;
  private final Path path;
  private final List<KeeperRequestHandler> sessions = new ArrayList<>();

  private KeeperServer(Keeper keeper, ServerSocketChannel socket, Path path) {
    this.keeper = keeper;
    this.socket = socket;
    this.path = path;
  }

  /** Opens the socket and replaces what an ended keeper left at this path. */
  public static KeeperServer open(Keeper keeper, Path path) throws IOException {
    Files.deleteIfExists(path);
    ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    socket.bind(UnixDomainSocketAddress.of(path));
    return new KeeperServer(keeper, socket, path);
  }

  /** Accepts connections on a thread of its own. */
  public void start() {
    DaemonThread.start("accept", this::acceptAll);
  }

  public void exited(TaskView view) {
    KeeperRequestHandler newest = newest();
    if (newest != null) {
      newest.send(new KeeperFrameEncoder(KeeperProtocol.EXITED, 0).view(view).frame());
    }
  }

  /** Removes the socket, flushes what was sent to the clients, and closes. */
  public void close() throws IOException, InterruptedException {
    Files.deleteIfExists(path);
    for (KeeperRequestHandler session : sessions()) {
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
    KeeperRequestHandler session;
    try {
      session = new KeeperRequestHandler(keeper, channel, this::greets, this::left);
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

  /** Closes the oldest client without a hello; silent ones must not keep the agent out. */
  private boolean closeOldestStranger() {
    for (KeeperRequestHandler session : sessions()) {
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

  /** Numbers the newest client and closes the others; of two at once the later number stays. */
  private void greets(KeeperRequestHandler newest) {
    List<KeeperRequestHandler> older = new ArrayList<>();
    synchronized (sessions) {
      for (KeeperRequestHandler session : sessions) {
        if (session.greeted()) {
          older.add(session);
        }
      }
      newest.numbered(keeper.clientGreeted());
    }
    older.forEach(KeeperRequestHandler::close);
  }

  private void left(KeeperRequestHandler session) {
    synchronized (sessions) {
      sessions.remove(session);
    }
    keeper.clientLeft(session.number());
  }

  private KeeperRequestHandler newest() {
    KeeperRequestHandler newest = null;
    for (KeeperRequestHandler session : sessions()) {
      boolean newer = newest == null || session.number() > newest.number();
      newest = session.greeted() && newer ? session : newest;
    }
    return newest;
  }

  private List<KeeperRequestHandler> sessions() {
    synchronized (sessions) {
      return new ArrayList<>(sessions);
    }
  }

  /** Waits after a fault such as no free descriptor: an immediate retry would waste CPU. */
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
