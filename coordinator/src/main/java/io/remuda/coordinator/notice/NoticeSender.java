package io.remuda.coordinator.notice;

import io.remuda.coordinator.store.JournalWriter;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.NoticeRow;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.StoreChange;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Sends the notices that are in the store and removes each once it was sent. It looks each second;
 * a notice that cannot be sent is tried again after 5 s, and later each time, for a day. A server
 * that ends between sending and removing leaves the notice to the next one: it is sent at least
 * once. It reads the store, on a dispatcher for that.
 */
public final class NoticeSender {

  public static final Props PROPS = DispatcherSelector.fromConfig("remuda.blocking-dispatcher");

  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final int MOST_UNDER_WAY = 16;
  private static final long FIRST_PAUSE = Duration.ofSeconds(5).toNanos();
  private static final long LONGEST_PAUSE = Duration.ofMinutes(10).toNanos();

  /** About a day of tries. */
  static final int MOST_TRIES = 150;

  /** A message to this actor. */
  public sealed interface Command {}

  private enum Look implements Command {
    INSTANCE
  }

  private record Tried(long number, String fault) implements Command {}

  /** Tries so far, and when the next is due on the monotonic clock. */
  private record Pause(int tries, long until) {}

  private final ActorContext<Command> context;
  private final StoreReader reader;
  private final JournalWriter journal;
  private final NoticeDelivery delivery;
  private final Set<Long> underWay = new HashSet<>();

  /** Those that the store still has but that need not be sent again. */
  private final Set<Long> sent = new HashSet<>();

  private final Map<Long, Pause> pauses = new HashMap<>();

  private NoticeSender(
      ActorContext<Command> context,
      StoreReader reader,
      JournalWriter journal,
      NoticeDelivery delivery) {
    this.context = context;
    this.reader = reader;
    this.journal = journal;
    this.delivery = delivery;
  }

  /**
   * Creates the behaviour.
   *
   * @param mailer program and arguments that send a mail from their input; empty for none
   */
  public static Behavior<Command> create(
      StoreReader reader, JournalWriter journal, List<String> mailer) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  timers.startTimerWithFixedDelay(Look.INSTANCE, Duration.ZERO, EVERY);
                  return new NoticeSender(context, reader, journal, new NoticeDelivery(mailer))
                      .begin();
                }));
  }

  private Behavior<Command> begin() {
    return Behaviors.receive(Command.class)
        .onMessage(Look.class, message -> onLook())
        .onMessage(Tried.class, this::onTried)
        .build();
  }

  private Behavior<Command> onLook() {
    List<NoticeRow> due;
    try {
      due =
          reader.query(
              "SELECT * FROM notices ORDER BY number LIMIT 1000",
              row -> {
                long number = row.getLong("number");
                String content = row.getString("content");
                RowMapping.check(row, "notice " + number, number, content);
                return new NoticeRow(number, content);
              });
    } catch (IOException away) {
      return Behaviors.same(); // the next look follows
    }
    sent.retainAll(due.stream().map(NoticeRow::number).toList());
    for (NoticeRow notice : due) {
      Pause pause = pauses.get(notice.number());
      boolean waits =
          sent.contains(notice.number()) || pause != null && pause.until() - System.nanoTime() > 0;
      if (!waits && underWay.size() < MOST_UNDER_WAY && underWay.add(notice.number())) {
        context.pipeToSelf(
            delivery.send(notice.content()),
            (done, fault) -> new Tried(notice.number(), fault == null ? null : said(fault)));
      }
    }
    return Behaviors.same();
  }

  private static String said(Throwable fault) {
    Throwable root = fault;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
  }

  private Behavior<Command> onTried(Tried event) {
    long number = event.number();
    underWay.remove(number);
    int tries = pauses.containsKey(number) ? pauses.get(number).tries() + 1 : 1;
    if (event.fault() == null || tries >= MOST_TRIES) {
      if (event.fault() != null) {
        context.getLog().warn("notice {} is given up: {}", number, event.fault());
      }
      pauses.remove(number);
      sent.add(number);
      journal.append(List.of(new StoreChange.NoticeDone(number)), () -> {});
      return Behaviors.same();
    }
    if (tries == 1) {
      context.getLog().warn("notice {} is tried again later: {}", number, event.fault());
    }
    long pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(10, tries - 1));
    pauses.put(number, new Pause(tries, System.nanoTime() + pause));
    return Behaviors.same();
  }
}
