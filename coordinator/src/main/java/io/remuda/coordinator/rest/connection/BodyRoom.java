package io.remuda.coordinator.rest.connection;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits the bytes of large bodies that are held at once, from the first byte to the response.
 * Other bodies wait, and their senders take turns. Small bodies are not limited. Thread-safe.
 */
public final class BodyRoom {

  /** Bodies up to this size are not limited, because each connection has at most one. */
  static final int SMALL = 64 << 10;

  private final long most;
  private long taken;

  /** Waiting bodies by sender; the sender that is served next comes first. */
  private final Map<String, Deque<BodyReservation>> waiting = new LinkedHashMap<>();

  /**
   * @param most maximum bytes; one body is always admitted
   */
  public BodyRoom(long most) {
    this.most = most;
  }

  /** The capacity for one body, held or waited for. */
  final class BodyReservation {
    private final String sender;
    private final long bytes;
    private final Runnable go;
    private boolean held;
    private boolean left;

    private BodyReservation(String sender, long bytes, Runnable go) {
      this.sender = sender;
      this.bytes = bytes;
      this.go = go;
    }

    /** Releases the capacity, or stops waiting for it. Repeated calls have no effect. */
    void leave() {
      Deque<BodyReservation> next;
      synchronized (BodyRoom.this) {
        if (left) {
          return;
        }
        left = true;
        if (held) {
          taken -= bytes;
        } else {
          forget(this);
        }
        next = admitted();
      }
      next.forEach(place -> place.go.run());
    }
  }

  /**
   * Requests capacity.
   *
   * @param sender the senders take turns, so many requests of one do not delay others
   * @param go runs once when there is capacity: now, or later on another thread
   */
  BodyReservation enter(String sender, long bytes, Runnable go) {
    BodyReservation place = new BodyReservation(sender, bytes, go);
    Deque<BodyReservation> next;
    synchronized (this) {
      waiting.computeIfAbsent(sender, one -> new ArrayDeque<>()).add(place);
      next = admitted();
    }
    next.forEach(one -> one.go.run());
    return place;
  }

  private Deque<BodyReservation> admitted() {
    Deque<BodyReservation> all = new ArrayDeque<>();
    while (!waiting.isEmpty()) {
      Iterator<Map.Entry<String, Deque<BodyReservation>>> turns = waiting.entrySet().iterator();
      Map.Entry<String, Deque<BodyReservation>> turn = turns.next();
      BodyReservation first = turn.getValue().peek();
      if (taken > 0 && taken + first.bytes > most) {
        break;
      }
      turn.getValue().remove();
      turns.remove();
      if (!turn.getValue().isEmpty()) {
        waiting.put(turn.getKey(), turn.getValue()); // at the end
      }
      first.held = true;
      taken += first.bytes;
      all.add(first);
    }
    return all;
  }

  private void forget(BodyReservation place) {
    Deque<BodyReservation> own = waiting.get(place.sender);
    if (own != null) {
      own.remove(place);
      if (own.isEmpty()) {
        waiting.remove(place.sender);
      }
    }
  }

  /** Returns the bytes that are held. */
  synchronized long taken() {
    return taken;
  }
}
