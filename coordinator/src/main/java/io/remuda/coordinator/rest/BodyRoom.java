package io.remuda.coordinator.rest;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * So many bytes of large bodies are held at once, from their first byte to the answer; others wait,
 * and those who send them are served in turn. Small bodies need no room. All threads.
 */
final class BodyRoom {

  /** Bodies up to this size are always taken: each connection has one at most. */
  static final int SMALL = 64 << 10;

  private final long most;
  private long taken;

  /** Those who wait, by who they are; the next one's turn is first. */
  private final Map<String, Deque<BodyReservation>> waiting = new LinkedHashMap<>();

  /**
   * All of it is free.
   *
   * @param most bytes; one body is always taken
   */
  BodyRoom(long most) {
    this.most = most;
  }

  /** The room for one body, taken or waited for. */
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

    /** It is needed no longer; may be said again. */
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
   * Asks for room.
   *
   * @param sender for whom; those who ask often do not go before others
   * @param go runs once, now or later on another's thread, when there is room
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
        waiting.put(turn.getKey(), turn.getValue()); // behind the others
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

  /** Bytes that are held. */
  synchronized long taken() {
    return taken;
  }
}
