package io.remuda.coordinator.notice;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Function;

/**
 * Which notice is sent next. Users take turns, and the receivers of a user do, so that none waits
 * behind those of others; a receiver that is slow or away keeps a few of the places, and what could
 * not be sent pauses elsewhere. All times are nanoseconds of one monotonic clock. One thread.
 */
final class NoticeTurns {

  /** The most that are sent at once. */
  static final int PLACES = 16;

  /** The most of these of one user. */
  static final int PLACES_OF_USER = 6;

  /** The most of these for one receiver, whoever has named it. */
  static final int PLACES_OF_RECEIVER = 6;

  /** The most of one user for one receiver: neither fills the limits of the other alone. */
  static final int PLACES_OF_USER_AT_RECEIVER = 3;

  /** The most notices of one user that wait. */
  static final int MOST_OF_USER = 100_000;

  /**
   * A notice that is to be sent.
   *
   * @param number of the notice in the store
   * @param user whose job it is about
   * @param receiver who is slow or away as one: a host with its port, or a program
   * @param tries so far
   * @param due when it may be tried; that of a new notice does not matter
   */
  record Notice(long number, String user, String receiver, int tries, long due) {}

  /** Those that may be sent now: of each user, in turns, those for each receiver, in turns. */
  private final Map<String, Map<String, Deque<Notice>>> ready = new LinkedHashMap<>();

  /** Those that were tried in vain. */
  private final PriorityQueue<Notice> paused;

  private final Map<Long, Notice> underWay = new HashMap<>();

  /** How many of each user wait or are under way. */
  private final Map<String, Integer> ofUsers = new HashMap<>();

  NoticeTurns() {
    Comparator<Notice> soonest = (one, other) -> Long.signum(one.due() - other.due());
    paused = new PriorityQueue<>(soonest.thenComparingLong(Notice::number));
  }

  /**
   * Adds a new notice.
   *
   * @return false if it is not kept, because too many of its user wait
   */
  boolean add(long number, String user, String receiver) {
    if (ofUsers.getOrDefault(user, 0) >= MOST_OF_USER) {
      return false;
    }
    ofUsers.merge(user, 1, Integer::sum);
    ready(new Notice(number, user, receiver, 0, 0));
    return true;
  }

  private void ready(Notice notice) {
    ready
        .computeIfAbsent(notice.user(), user -> new LinkedHashMap<>())
        .computeIfAbsent(notice.receiver(), receiver -> new ArrayDeque<>())
        .add(notice);
  }

  /** Returns the notice that is sent next, which is under way from now on; empty for none now. */
  Optional<Notice> next(long now) {
    while (!paused.isEmpty() && paused.peek().due() - now <= 0) {
      ready(paused.remove());
    }
    if (underWay.size() >= PLACES) {
      return Optional.empty();
    }
    for (String user : ready.keySet()) {
      Optional<Notice> next = nextOf(user);
      if (next.isPresent()) {
        underWay.put(next.get().number(), next.get());
        return next;
      }
    }
    return Optional.empty();
  }

  private Optional<Notice> nextOf(String user) {
    if (places(Notice::user, user) >= PLACES_OF_USER) {
      return Optional.empty();
    }
    Map<String, Deque<Notice>> receivers = ready.get(user);
    for (Iterator<String> each = receivers.keySet().iterator(); each.hasNext(); ) {
      String receiver = each.next();
      if (!isFull(user, receiver)) {
        Deque<Notice> waiting = receivers.get(receiver);
        Notice next = waiting.remove();
        each.remove(); // to the end, if more is left
        if (!waiting.isEmpty()) {
          receivers.put(receiver, waiting);
        }
        ready.remove(user);
        if (!receivers.isEmpty()) {
          ready.put(user, receivers);
        }
        return Optional.of(next);
      }
    }
    return Optional.empty();
  }

  private boolean isFull(String user, String receiver) {
    return places(Notice::receiver, receiver) >= PLACES_OF_RECEIVER
        || underWay.values().stream()
                .filter(one -> one.user().equals(user) && one.receiver().equals(receiver))
                .count()
            >= PLACES_OF_USER_AT_RECEIVER;
  }

  private long places(Function<Notice, String> by, String name) {
    return underWay.values().stream().filter(one -> by.apply(one).equals(name)).count();
  }

  /** Notes that one under way needs no more tries. */
  void done(long number) {
    Notice done = underWay.remove(number);
    ofUsers.computeIfPresent(done.user(), (user, count) -> count == 1 ? null : count - 1);
  }

  /** Notes that one under way could not be sent; it is tried again at a time. */
  void failed(long number, long due) {
    Notice failed = underWay.remove(number);
    paused.add(new Notice(number, failed.user(), failed.receiver(), failed.tries() + 1, due));
  }

  /** Notes that one under way was not tried after all. */
  void notTried(long number) {
    ready(underWay.remove(number));
  }

  /** Returns how often one under way was tried before. */
  int tries(long number) {
    return underWay.get(number).tries();
  }
}
