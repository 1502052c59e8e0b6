package io.remuda.coordinator.rest.connection;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The open connections of the HTTP interface. At their limit, a new connection replaces the one
 * that has been idle longest, or if none is idle, the oldest one that streams. So clients that send
 * no request, send an endless one, or do not read the response cannot keep others out. Thread-safe.
 */
public final class OpenConnections {

  private final int most;
  private final Duration headDeadline;
  private final LongSupplier nanoClock;

  /** Connections without a complete request; first the one that has been in this state longest. */
  private final Set<Connection> idle = new LinkedHashSet<>();

  /** Connections that stream a response, oldest first. */
  private final Set<Connection> streaming = new LinkedHashSet<>();

  /** Connections that wait for the response to be determined. */
  private final Set<Connection> busy = new LinkedHashSet<>();

  /**
   * @param most maximum number of connections
   * @param headDeadline maximum time from opening a connection to the head of its first request
   * @param nanoClock monotonic
   */
  public OpenConnections(int most, Duration headDeadline, LongSupplier nanoClock) {
    this.most = most;
    this.headDeadline = headDeadline;
    this.nanoClock = nanoClock;
  }

  /** How a response is sent. */
  enum Delivery {
    WHOLE,
    STREAM
  }

  /** How a connection is closed. */
  public interface Closing {

    /** Closes it once what is under way has been answered. */
    void close();

    /** Closes it now. */
    default void abort() {
      close();
    }
  }

  /** An open connection. */
  public final class Connection {
    private final Closing close;
    private final long openedAt = nanoClock.getAsLong();
    private boolean silent = true;

    private Connection(Closing close) {
      this.close = close;
    }

    /** Marks that the head of a request has arrived. Until its body has, the connection is idle. */
    void begins() {
      synchronized (OpenConnections.this) {
        silent = false;
      }
    }

    /**
     * Marks that a complete request has arrived.
     *
     * @return false if the connection was just closed for another one. Then the request must not be
     *     carried out: the response would not arrive, and the client would repeat the request
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
     * Marks that the response is being sent, at the speed of the client; possibly before the
     * request is complete.
     */
    void answered(Delivery answer) {
      synchronized (OpenConnections.this) {
        boolean stream = answer == Delivery.STREAM;
        if (busy.remove(this) || (stream && idle.remove(this))) {
          (stream ? streaming : idle).add(this);
        }
      }
    }

    /** Removes the connection, which is closed. */
    public void over() {
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
   * Adds a connection. At the limit another one is closed; if all others are busy, the new one is.
   *
   * @param close closes the connection
   */
  public Connection opened(Closing close) {
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
    going.ifPresent(one -> one.close.close());
    return opened;
  }

  /** Closes connections that have not sent the head of a request before the deadline. */
  public void closeSilent() {
    long now = nanoClock.getAsLong();
    List<Connection> going;
    synchronized (this) {
      going =
          idle.stream()
              .filter(one -> one.silent && now - one.openedAt > headDeadline.toNanos())
              .toList();
      going.forEach(this::remove);
    }
    going.forEach(one -> one.close.close());
  }

  /** Closes all connections now, whatever is under way. */
  public void abortAll() {
    List<Connection> all;
    synchronized (this) {
      all = Stream.of(idle, streaming, busy).flatMap(Set::stream).toList();
    }
    all.forEach(one -> one.close.abort());
  }

  /** Returns the number of connections. */
  synchronized int size() {
    return idle.size() + streaming.size() + busy.size();
  }
}
