package io.remuda.coordinator.rest;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The open connections of the HTTP interface, of which there are only so many. When another comes,
 * the one that has been idle for longest is closed for it, and if none is idle one that has sent
 * events for longest: whoever holds connections and asks nothing, or does not read the answers,
 * keeps nobody out. All threads.
 */
final class Connections {

  private final int most;

  /** Those that ask nothing, the one first that has been idle for longest. */
  private final Set<Connection> idle = new LinkedHashSet<>();

  /** Those whose answer goes on, the oldest first. */
  private final Set<Connection> streaming = new LinkedHashSet<>();

  /** Those that wait for an answer to be found. */
  private final Set<Connection> busy = new LinkedHashSet<>();

  /** At most {@code most} at once. */
  Connections(int most) {
    this.most = most;
  }

  /** How an answer goes to the client. */
  enum Answer {
    WHOLE,
    STREAM
  }

  /** One of them. */
  final class Connection {
    private final Runnable close;

    private Connection(Runnable close) {
      this.close = close;
    }

    /**
     * A request has come.
     *
     * @return false if the connection has lost its place just now: then nothing may be done for it,
     *     since the answer would not arrive and the client ask again elsewhere
     */
    boolean asks() {
      synchronized (Connections.this) {
        boolean open = idle.remove(this) || streaming.remove(this);
        if (open) {
          busy.add(this);
        }
        return open;
      }
    }

    /** Its answer was found, and goes to the client as fast as that one reads. */
    void answered(Answer answer) {
      synchronized (Connections.this) {
        if (busy.remove(this)) {
          (answer == Answer.STREAM ? streaming : idle).add(this);
        }
      }
    }

    /** It is gone. */
    void over() {
      synchronized (Connections.this) {
        remove(this);
      }
    }
  }

  private void remove(Connection connection) {
    idle.remove(connection);
    streaming.remove(connection);
    busy.remove(connection);
  }

  /**
   * Takes a connection in, which may cost another one its place; if all others wait for answers it
   * is this one that goes.
   *
   * @param close has it closed
   */
  Connection opened(Runnable close) {
    Connection opened = new Connection(close);
    Optional<Connection> going = Optional.empty();
    synchronized (this) {
      if (size() >= most) {
        going = Stream.concat(idle.stream(), streaming.stream()).findFirst();
        going.ifPresent(this::remove);
      }
      if (size() < most) {
        idle.add(opened);
      } else {
        going = Optional.of(opened);
      }
    }
    going.ifPresent(one -> one.close.run());
    return opened;
  }

  /** How many there are. */
  synchronized int size() {
    return idle.size() + streaming.size() + busy.size();
  }
}
