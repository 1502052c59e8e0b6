package io.remuda.coordinator.rest.connection;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Limits the bytes of large responses that clients have not read. At the limit, a new response
 * aborts the oldest ones. Thread-safe.
 */
public final class UnreadAnswers {

  private final long most;
  private long held;

  /** The unread responses, oldest first. */
  private final Set<UnreadAnswer> answers = new LinkedHashSet<>();

  /**
   * @param most maximum bytes; one response is always sent
   */
  public UnreadAnswers(long most) {
    this.most = most;
  }

  /** A response that is being sent. */
  final class UnreadAnswer {
    private final long bytes;
    private final Runnable drop;

    private UnreadAnswer(long bytes, Runnable drop) {
      this.bytes = bytes;
      this.drop = drop;
    }

    /** Removes the response, which was read or lost its client. Repeated calls have no effect. */
    void over() {
      synchronized (UnreadAnswers.this) {
        remove(this);
      }
    }
  }

  private void remove(UnreadAnswer answer) {
    if (answers.remove(answer)) {
      held -= answer.bytes;
    }
  }

  /**
   * Adds a response and aborts others if there are too many bytes.
   *
   * @param drop aborts the response
   */
  UnreadAnswer begin(long bytes, Runnable drop) {
    UnreadAnswer begun = new UnreadAnswer(bytes, drop);
    List<UnreadAnswer> going = new ArrayList<>();
    synchronized (this) {
      for (Iterator<UnreadAnswer> old = answers.iterator();
          held + bytes > most && old.hasNext(); ) {
        UnreadAnswer oldest = old.next();
        going.add(oldest);
        old.remove();
        held -= oldest.bytes;
      }
      answers.add(begun);
      held += bytes;
    }
    going.forEach(answer -> answer.drop.run());
    return begun;
  }

  /** Returns the bytes of all unread responses. */
  synchronized long held() {
    return held;
  }
}
