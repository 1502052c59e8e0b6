package io.remuda.coordinator.notice;

import io.remuda.coordinator.store.JournalWriter;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.JobNotice;
import io.remuda.coordinator.store.row.NoticeRow;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.StoreDamagedException;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Sends the notices that are in the store and removes each once it was sent. It looks each second
 * for those that are new; their numbers rise, so each is read once, and again when its turn has
 * come ({@link NoticeTurns}). A notice that cannot be sent is tried again after 5 s, and later each
 * time, for a day. A server that ends between sending and removing leaves the notice to the next
 * one: it is sent at least once. It reads the store, on a dispatcher for that.
 */
public final class NoticeSender {

  public static final Props PROPS = DispatcherSelector.fromConfig("remuda.blocking-dispatcher");

  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final int MOST_READ = 1000;
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

  private final ActorContext<Command> context;
  private final StoreReader reader;
  private final JournalWriter journal;
  private final NoticeDelivery delivery;
  private final LongSupplier nanoClock;
  private final NoticeTurns turns = new NoticeTurns();

  /** The last that was read as new. */
  private long lastRead = Long.MIN_VALUE;

  private NoticeSender(
      ActorContext<Command> context,
      StoreReader reader,
      JournalWriter journal,
      NoticeDelivery delivery,
      LongSupplier nanoClock) {
    this.context = context;
    this.reader = reader;
    this.journal = journal;
    this.delivery = delivery;
    this.nanoClock = nanoClock;
  }

  /**
   * Creates the behaviour.
   *
   * @param mailer program and arguments that send a mail from their input; empty for none
   * @param nanoClock monotonic clock in nanoseconds
   */
  public static Behavior<Command> create(
      StoreReader reader, JournalWriter journal, List<String> mailer, LongSupplier nanoClock) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  timers.startTimerWithFixedDelay(Look.INSTANCE, Duration.ZERO, EVERY);
                  return new NoticeSender(
                          context, reader, journal, new NoticeDelivery(mailer), nanoClock)
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
    try {
      readNew();
      sendDue();
    } catch (IOException away) {
      return Behaviors.same(); // the next look follows
    }
    return Behaviors.same();
  }

  private void readNew() throws IOException {
    List<NoticeRow> read;
    do {
      read =
          reader.query(
              "SELECT number, content, sum FROM notices WHERE number > ? ORDER BY number LIMIT ?",
              NoticeSender::row,
              lastRead,
              MOST_READ);
      read.forEach(this::add);
    } while (read.size() == MOST_READ);
  }

  /** Returns a notice; its content is null if the row is not what was written. */
  private static NoticeRow row(ResultSet row) throws SQLException {
    try {
      return RowMapping.NOTICES.read(row);
    } catch (StoreDamagedException damaged) {
      return new NoticeRow(row.getLong("number"), null);
    }
  }

  private void add(NoticeRow row) {
    lastRead = row.number();
    Optional<JobNotice> notice = NoticeDelivery.read(row.content());
    if (notice.isEmpty()) { // the others are sent nevertheless
      context.getLog().error("notice {} is damaged in the state and is not sent", row.number());
    } else if (!turns.add(
        row.number(), notice.get().user(), NoticeDelivery.receiver(notice.get().to()))) {
      context
          .getLog()
          .warn(
              "notice {} is given up: {} notices of {} wait already",
              row.number(),
              NoticeTurns.MOST_OF_USER,
              notice.get().user());
      remove(row.number());
    }
  }

  private void sendDue() throws IOException {
    for (Optional<NoticeTurns.Notice> next = turns.next(nanoClock.getAsLong());
        next.isPresent();
        next = turns.next(nanoClock.getAsLong())) {
      send(next.get().number());
    }
  }

  private void send(long number) throws IOException {
    List<NoticeRow> rows;
    try {
      rows =
          reader.query(
              "SELECT number, content, sum FROM notices WHERE number = ?",
              NoticeSender::row,
              number);
    } catch (IOException away) {
      turns.notTried(number);
      throw away;
    }
    if (rows.isEmpty()) {
      turns.done(number);
      return;
    }
    context.pipeToSelf(
        delivery.send(rows.get(0).content()),
        (done, fault) -> new Tried(number, fault == null ? null : said(fault)));
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
    int tries = turns.tries(number) + 1;
    if (event.fault() == null || tries >= MOST_TRIES) {
      if (event.fault() != null) {
        context.getLog().warn("notice {} is given up: {}", number, event.fault());
      }
      turns.done(number);
      remove(number);
    } else {
      if (tries == 1) {
        context.getLog().warn("notice {} is tried again later: {}", number, event.fault());
      }
      long pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(10, tries - 1));
      turns.failed(number, nanoClock.getAsLong() + pause);
    }
    try {
      sendDue(); // its place is free
    } catch (IOException away) {
      return Behaviors.same(); // the next look follows
    }
    return Behaviors.same();
  }

  private void remove(long number) {
    journal.append(List.of(new StoreChange.NoticeDone(number)), () -> {});
  }
}
