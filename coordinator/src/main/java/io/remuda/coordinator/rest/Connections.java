package io.remuda.coordinator.rest;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The open connections of the HTTP interface, of which there are only so many. When another comes,
 * the one that has been idle for longest is closed for it: whoever holds connections and asks
 * nothing keeps nobody out. All threads.
 */
final class Connections {

  private final int most;

  /** Those that are not answering, the one first that has been idle for longest. */
  private final Set<Connection> idle = new LinkedHashSet<>();

  private final Set<Connection> busy = new LinkedHashSet<>();

  /** At most {@code most} at once. */
  Connections(int most) {
    this.most = most;
  }

  /** One of them. */
  final class Connection {
    private final Runnable close;

    private Connection(Runnable close) {
      this.close = close;
    }

    /** A request has come. */
    void asks() {
      synchronized (Connections.this) {
        if (idle.remove(this)) {
          busy.add(this);
        }
      }
    }

    /** It has its answer, or the head of one that goes on. */
    void answered() {
      synchronized (Connections.this) {
        if (busy.remove(this)) {
          idle.add(this);
        }
      }
    }

    /** It is gone. */
    void over() {
      synchronized (Connections.this) {
        idle.remove(this);
        busy.remove(this);
      }
    }
  }

  /**
   * Takes a connection in, which may cost another one its place; if all others wait for answers it
   * is this one that goes.
   *
   * @param close has it closed once what it waits for has been said
   */
  Connection opened(Runnable close) {
    Connection opened = new Connection(close);
    List<Connection> going = new ArrayList<>();
    synchronized (this) {
      idle.add(opened);
      Iterator<Connection> longest = idle.iterator();
      while (idle.size() + busy.size() > most && longest.hasNext()) {
        going.add(longest.next());
        longest.remove();
      }
    }
    going.forEach(one -> one.close.run());
    return opened;
  }

  /** How many there are. */
  synchronized int size() {
    return idle.size() + busy.size();
  }
}
