package io.remuda.coordinator.rest;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The open connections of the HTTP interface, of which there are only so many. When another comes,
 * the one that has been idle for longest is closed for it, and if none is idle one that has sent
 * events for longest: whoever holds connections and asks nothing, does not read the answers, or
 * sends a request that has no end, keeps nobody out. All threads.
 */
final class OpenConnections {

  private final int most;
  private final Duration headDeadline;
  private final LongSupplier nanoClock;

  /**
   * Those that ask nothing, or have not sent all of their request, the one first that has been so
   * for longest.
   */
  private final Set<Connection> idle = new LinkedHashSet<>();

  /** Those whose answer goes on, the oldest first. */
  private final Set<Connection> streaming = new LinkedHashSet<>();

  /** Those that wait for an answer to be found. */
  private final Set<Connection> busy = new LinkedHashSet<>();

  /**
   * None yet.
   *
   * @param most at once
   * @param headDeadline in which the head of the first request of each has to be there
   * @param nanoClock monotonic
   */
  OpenConnections(int most, Duration headDeadline, LongSupplier nanoClock) {
    this.most = most;
    this.headDeadline = headDeadline;
    this.nanoClock = nanoClock;
  }

  /** How an answer goes to the client. */
  enum Delivery {
    WHOLE,
    STREAM
  }

  /** One of them. */
  final class Connection {
    private final Runnable close;
    private final long openedAt = nanoClock.getAsLong();
    private boolean silent = true;

    private Connection(Runnable close) {
      this.close = close;
    }

    /** The head of a request has come; for the others it is idle until its body is there. */
    void begins() {
      synchronized (OpenConnections.this) {
        silent = false;
      }
    }

    /**
     * A whole request has come.
     *
     * @return false if the connection has lost its place just now: then nothing may be done for it,
     *     since the answer would not arrive and the client ask again elsewhere
     */
    boolean asks() {
      synchronized (OpenConnections.this) {
        silent = false;
        boolean open = idle.remove(this) || streaming.remove(this);
        if (open) {
          busy.add(this);
        }
        return open;
      }
    }

    /**
     * Its answer was found, and goes to the client as fast as that one reads; maybe before all of
     * the request has come.
     */
    void answered(Delivery answer) {
      synchronized (OpenConnections.this) {
        boolean stream = answer == Delivery.STREAM;
        if (busy.remove(this) || (stream && idle.remove(this))) {
          (stream ? streaming : idle).add(this);
        }
      }
    }

    /** It is gone. */
    void over() {
      synchronized (OpenConnections.this) {
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

  /** Closes those that have sent no whole head for too long since they were opened. */
  void closeSilent() {
    long now = nanoClock.getAsLong();
    List<Connection> going;
    synchronized (this) {
      going =
          idle.stream()
              .filter(one -> one.silent && now - one.openedAt > headDeadline.toNanos())
              .toList();
      going.forEach(this::remove);
    }
    going.forEach(one -> one.close.run());
  }

  /** How many there are. */
  synchronized int size() {
    return idle.size() + streaming.size() + busy.size();
  }
}
