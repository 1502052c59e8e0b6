package io.remuda.coordinator.rest;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Large answers on their way to clients who may not read them: there are only so many bytes of
 * them, and for a new one the oldest go. All threads.
 */
final class UnreadAnswers {

  private final long most;
  private long held;

  /** The oldest first. */
  private final Set<UnreadAnswer> answers = new LinkedHashSet<>();

  /**
   * None yet.
   *
   * @param most bytes; one answer is always sent
   */
  UnreadAnswers(long most) {
    this.most = most;
  }

  /** One of them. */
  final class UnreadAnswer {
    private final long bytes;
    private final Runnable drop;

    private UnreadAnswer(long bytes, Runnable drop) {
      this.bytes = bytes;
      this.drop = drop;
    }

    /** It was read, or its client is gone; may be said again. */
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
   * Takes one in, which may cost others theirs.
   *
   * @param drop breaks it off
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

  /** Bytes that are held. */
  synchronized long held() {
    return held;
  }
}
