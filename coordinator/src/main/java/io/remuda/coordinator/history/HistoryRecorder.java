package io.remuda.coordinator.history;

import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.coordinator.api.ClusterActivity;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.CoordinatorQuestion;
import io.remuda.coordinator.api.MessageToAgentSession;
import io.remuda.coordinator.api.MetricsReported;
import io.remuda.coordinator.curve.TaskCurveStore;
import io.remuda.coordinator.curve.TaskCurves;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.eventstream.EventStream;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a coordinator each second what happens, and keeps it. It blocks, on a dispatcher for that;
 * if the disk stands still, it asks no further, and those seconds are missing.
 */
public final class HistoryRecorder {

  /** Dispatcher of this actor. */
  public static final Props PROPS = DispatcherSelector.fromConfig("remuda.blocking-dispatcher");

  /** Folder of the history in that of a server. */
  public static final String FOLDER = "history";

  /** Seconds between two looks at which jobs are still there. */
  private static final int TIDY_SECONDS = 60;

  private static final Logger LOG = LoggerFactory.getLogger(HistoryRecorder.class);

  /** After the beginning of a second, so that a timer that is early does not meet the last one. */
  private static final long INTO_SECOND_MILLIS = 50;

  private static final long SECOND_MILLIS = 1000;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

  /** A coordinator that has not answered for so many seconds is asked again. */
  private static final int PATIENCE_SECONDS = 5;

  /** A message to this actor. */
  public sealed interface Command {}

  private enum Tick implements Command {
    INSTANCE
  }

  private record Seen(ClusterActivity activity) implements Command {}

  private record Reported(MetricsReported event) implements Command {}

  /** Which of these jobs are still there. */
  public interface JobsLeft {

    /**
     * @throws IOException if that cannot be found out now
     */
    Set<Long> of(Set<Long> jobs) throws IOException;
  }

  private final HistoryStores stores;
  private final EndedTaskReadings ends;
  private final JobsLeft jobs;
  private final HistoryArchive archive;
  private final ActorRef<CoordinatorCommand> coordinator;
  private final ActorRef<ClusterActivity> answers;
  private final Clock clock;
  private final ActivityRows rows = new ActivityRows();
  private int unanswered;
  private Runnable subscription; // to what programs report, once the coordinator is there
  private long tidyAt;

  private HistoryRecorder(
      ActorContext<Command> context,
      HistoryStores stores,
      JobsLeft jobs,
      HistoryArchive archive,
      ActorRef<CoordinatorCommand> coordinator,
      Clock clock) {
    this.stores = stores;
    this.ends = new EndedTaskReadings(stores.points());
    this.jobs = jobs;
    this.archive = archive;
    this.coordinator = coordinator;
    this.answers = context.messageAdapter(ClusterActivity.class, Seen::new);
    this.clock = clock;
    this.subscription = () -> subscribe(context);
  }

  private static void subscribe(ActorContext<Command> context) {
    context
        .getSystem()
        .eventStream()
        .tell(
            new EventStream.Subscribe<>(
                MetricsReported.class,
                context.messageAdapter(MetricsReported.class, Reported::new)));
  }

  /**
   * Creates the behaviour of a server that keeps no history. It acknowledges what programs report,
   * which agents would send again for ever.
   */
  public static Behavior<Command> keepingNothing() {
    return Behaviors.setup(
        context -> {
          subscribe(context);
          return Behaviors.receive(Command.class)
              .onMessage(Reported.class, HistoryRecorder::onNotKept)
              .build();
        });
  }

  private static Behavior<Command> onNotKept(Reported reported) {
    acknowledge(reported.event(), reported.event().message().until());
    return Behaviors.same();
  }

  private static void acknowledge(MetricsReported event, long until) {
    event
        .session()
        .tell(
            new MessageToAgentSession.Send(
                new CoordinatorMessage.MetricsKept(event.message().attempt(), until)));
  }

  /**
   * Creates the behaviour. If the folder cannot be used, that is logged, and nothing is kept. After
   * a fault that nobody has foreseen it begins again, so that a bad file costs seconds at most.
   *
   * @param home folder of the server
   * @param mostBytes that the files may have
   * @param archive has the history while this actor runs
   * @param jobs says of which jobs curves are kept
   */
  public static Behavior<Command> create(
      Path home,
      long mostBytes,
      HistoryArchive archive,
      ActorRef<CoordinatorCommand> coordinator,
      JobsLeft jobs,
      Clock clock) {
    Behavior<Command> recorder =
        Behaviors.withTimers(
            timers ->
                Behaviors.setup(
                    context -> {
                      try {
                        HistoryStores stores =
                            HistoryStores.open(
                                home.resolve(FOLDER), mostBytes, clock.instant().getEpochSecond());
                        archive.set(stores);
                        return new HistoryRecorder(
                                context, stores, jobs, archive, coordinator, clock)
                            .running(timers);
                      } catch (IOException fault) {
                        LOG.warn("no history is kept: {}", fault.toString());
                        return Behaviors.ignore();
                      }
                    }));
    return Behaviors.supervise(recorder)
        .onFailure(SupervisorStrategy.restartWithBackoff(FIRST_PAUSE, LONGEST_PAUSE, 0));
  }

  private Behavior<Command> running(TimerScheduler<Command> timers) {
    onTick(timers);
    return Behaviors.receive(Command.class)
        .onMessage(Tick.class, tick -> onTick(timers))
        .onMessage(Seen.class, this::onSeen)
        .onMessage(Reported.class, this::onReported)
        .onSignal(PostStop.class, signal -> onStop())
        .onSignal(PreRestart.class, signal -> onStop())
        .build();
  }

  /** Asks once in each second of the clock: a fixed period would leave one out now and then. */
  private Behavior<Command> onTick(TimerScheduler<Command> timers) {
    long left = SECOND_MILLIS - clock.millis() % SECOND_MILLIS;
    timers.startSingleTimer(Tick.INSTANCE, Duration.ofMillis(left + INTO_SECOND_MILLIS));
    if (unanswered == 0 || unanswered >= PATIENCE_SECONDS) {
      unanswered = 0;
      coordinator.tell(new CoordinatorQuestion.LookAtActivity(answers));
    }
    unanswered++;
    return Behaviors.same();
  }

  private Behavior<Command> onSeen(Seen seen) {
    unanswered = 0;
    subscription.run();
    subscription = () -> {};
    long second = clock.instant().getEpochSecond();
    if (stores.points().begin(second)) {
      Set<String> read = new HashSet<>();
      rows.of(
          seen.activity(),
          second,
          (key, row) -> {
            stores.points().put(key, row);
            if (key.kind() == SeriesKind.TASK) {
              read.add(key.name());
            }
          });
      keepEnded(read, seen.activity().placed(), second);
    }
    stores.waits().seen(seen.activity().waits(), second);
    stores.gpus().seen(seen.activity(), second);
    return Behaviors.same();
  }

  private void keepEnded(Set<String> read, Set<String> placed, long second) {
    TaskCurveStore curves = stores.curves();
    try {
      ends.look(read, placed, curves.ended(placed), second);
      Map<String, List<TaskCurves.Reading>> due = ends.due(second);
      if (!due.isEmpty()) {
        ends.kept(curves.end(due));
        ends.laterIfLeft(due.keySet(), second);
      }
      if (second >= tidyAt) {
        tidyAt = second + TIDY_SECONDS;
        Set<Long> known = curves.jobs();
        if (!known.isEmpty()) {
          curves.retain(jobs.of(known)::contains);
        }
      }
    } catch (IOException fault) {
      LOG.warn("curves of ended tasks are not kept: {}", fault.toString());
    }
  }

  private Behavior<Command> onReported(Reported reported) {
    stores
        .curves()
        .add(reported.event().message())
        .ifPresent(until -> acknowledge(reported.event(), until));
    return Behaviors.same();
  }

  private Behavior<Command> onStop() {
    archive.clear();
    try {
      stores.close();
    } catch (IOException fault) {
      LOG.warn("the end of the history is not written", fault);
    }
    return Behaviors.same();
  }
}
