package io.remuda.agent.keeper.protocol;

import io.remuda.agent.keeper.KeeperGoneException;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.proc.BootClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * The starts that an agent has requested, of which only some are sent at a time, so that a slow
 * keeper is not flooded. Any thread.
 */
final class KeeperStartThrottle {

  /** Limit of requested starts without an answer. */
  private static final int MOST_OPEN = 64;

  /** Limit of their bytes; a single one may be larger. */
  private static final int MOST_OPEN_BYTES = 1 << 20;

  /** The way to the keeper; called with the lock of this object, in the order of the requests. */
  interface Way {
    /** Creates the frame of a request. */
    KeeperFrameEncoder request(byte kind);

    /** Returns what the keeper knows, see {@link KeeperProtocol#LEVEL}. */
    int level();

    /** Sends a request whose answer is ignored. */
    void say(KeeperFrameEncoder request);

    /** Sends the frame of a request. */
    void send(int id, byte[] frame, PendingKeeperCall call);
  }

  /** A start request that is not sent yet. */
  private record Start(SpawnRequest request, long expiresAt, Consumer<SpawnAnswer> told) {
    void notBegun(String why) {
      told.accept(new SpawnAnswer.Refused(RefusalCode.NOT_BEGUN, why));
    }
  }

  private final BootClock clock;
  private final Way way;
  private final SpawnTemplateCache templates = new SpawnTemplateCache();
  private final Deque<Start> later = new ArrayDeque<>();
  private int lastTemplate;
  private int openStarts;
  private int openBytes;
  private Throwable closedBy;

  KeeperStartThrottle(BootClock clock, Way way) {
    this.clock = clock;
    this.way = way;
  }

  /**
   * Adds a start; it is sent as soon as the limits allow.
   *
   * @param patienceMillis after which the keeper must not begin it
   * @throws KeeperGoneException if the connection has ended
   */
  synchronized void add(SpawnRequest request, long patienceMillis, Consumer<SpawnAnswer> told) {
    if (closedBy != null) {
      throw new KeeperGoneException(closedBy);
    }
    later.add(new Start(request, clock.millis() + patienceMillis, told));
    askForMore();
  }

  private void askForMore() {
    while (!later.isEmpty() && (openStarts == 0 || hasRoom())) {
      Start next = later.remove();
      if (clock.millis() > next.expiresAt()) {
        next.notBegun("the keeper was busy for too long");
      } else {
        send(next);
      }
    }
  }

  private boolean hasRoom() {
    return openStarts < MOST_OPEN && openBytes < MOST_OPEN_BYTES;
  }

  private void send(Start start) {
    KeeperFrameEncoder words;
    byte[] frame;
    try {
      words =
          way.request(KeeperProtocol.SPAWN)
              .number(start.expiresAt())
              .request(start.request(), templateOf(start.request()), way.level());
      frame = words.frame();
    } catch (IllegalArgumentException tooLong) {
      start.told().accept(new SpawnAnswer.Refused(RefusalCode.INVALID, tooLong.getMessage()));
      return;
    }
    openStarts++;
    openBytes += frame.length;
    way.send(
        words.id(),
        frame,
        PendingKeeperCall.ofStart(
            answer -> start.told().accept(answer.spawnAnswer()), frame.length));
  }

  /** Returns the number of the request's template, which is sent first if the keeper lacks it. */
  private int templateOf(SpawnRequest request) {
    int known = templates.numberOf(request.template());
    if (known != 0) {
      return known;
    }
    int number = ++lastTemplate;
    way.say(way.request(KeeperProtocol.TEMPLATE).number(number).template(request.template()));
    templates.add(number, request.template());
    return number;
  }

  /** Frees a start's share of the limits at its first answer, and sends further starts. */
  synchronized void heard(PendingKeeperCall call) {
    int bytes = call.takeOpen();
    if (bytes > 0) {
      openStarts--;
      openBytes -= bytes;
      askForMore();
    }
  }

  /** Refuses the starts with this key that are not sent yet. */
  synchronized void withdraw(String key) {
    for (Start start : List.copyOf(later)) {
      if (start.request().key().equals(key)) {
        later.remove(start);
        start.notBegun("withdrawn");
      }
    }
  }

  /** Refuses all starts that are not sent yet, and all later ones. */
  synchronized void close(Throwable cause) {
    closedBy = cause;
    later.forEach(start -> start.notBegun("the keeper is gone"));
    later.clear();
  }
}
