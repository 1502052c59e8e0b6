package io.remuda.coordinator.service;

import io.remuda.coordinator.actor.LeadingCoordinator;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.history.HistoryArchive;
import io.remuda.coordinator.history.HistoryRecorder;
import io.remuda.coordinator.notice.NoticeSender;
import io.remuda.coordinator.store.JournalWriter;
import io.remuda.coordinator.store.query.JobsWithRows;
import io.remuda.coordinator.store.row.UserRow;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a job service looks after while its coordinator is here: the users, the journal, and the
 * actors that tidy the state and send notices. Used only by the guardian, except for {@link
 * #trouble}.
 */
final class LeaderDuties {

  private static final Logger LOG = LoggerFactory.getLogger(LeaderDuties.class);

  private final ActorContext<ServerRootActor.Command> context;
  private final CoordinatorServiceParameters setup;
  private volatile JournalWriter journal; // of this leadership, or null; read by threads of HTTP
  private ActorRef<StateCare.Command> care;
  private ActorRef<NoticeSender.Command> notices;
  private ActorRef<HistoryRecorder.Command> recorder;
  private final HistoryArchive history = new HistoryArchive();
  private boolean hasLed;
  private int unsaved;

  LeaderDuties(ActorContext<ServerRootActor.Command> context, CoordinatorServiceParameters setup) {
    this.context = context;
    this.setup = setup;
  }

  /** Returns why the state cannot be written at present, if it cannot. Any thread. */
  Optional<String> trouble() {
    JournalWriter now = journal;
    return now == null ? Optional.empty() : now.trouble();
  }

  /** Returns the history, which is there while a coordinator leads here. */
  HistoryArchive history() {
    return history;
  }

  /** Notes that the row of a user is durable. */
  void userSaved() {
    unsaved--;
  }

  /** Returns whether a coordinator has led here, and all users are durable. */
  boolean isDurable() {
    return hasLed && unsaved == 0;
  }

  /** Tells the coordinator the users, and begins to look after its state. */
  void begin(LeadingCoordinator.Leads event) {
    hasLed = true;
    journal = event.store().journal();
    ActorRef<ServerRootActor.Command> self = context.getSelf(); // for the writer's thread
    JournalWriter own = journal;
    own.onLost(
        () -> {
          LOG.error("the state cannot be written any more: {}", own.trouble().orElse(""));
          self.tell(new ServerRootActor.Stop(RunningJobServer.End.FAULT));
        });
    event.store().state().users().stream()
        .filter(user -> !user.name().equals(setup.owner().name()))
        .forEach(user -> setup.tokens().add(user, false));
    UserRow owner = withShare(event.store().state().users());
    setup.tokens().add(owner, true);
    set(event.coordinator(), owner);
    for (UserRow user : setup.renewed()) { // after the users of the state, who have the old tokens
      setup.tokens().add(user, false);
      set(event.coordinator(), user);
    }
    event.coordinator().tell(CoordinatorCommand.StartTelemetry.INSTANCE);
    care =
        context.spawnAnonymous(
            StateCare.create(own, setup.settings().retention(), setup.clock(), setup.nanoClock()));
    notices =
        context.spawnAnonymous(
            NoticeSender.create(
                setup.reader(), own, setup.settings().notices().mailer(), setup.nanoClock()),
            NoticeSender.PROPS);
    recorder = context.spawnAnonymous(recorder(event.coordinator()), HistoryRecorder.PROPS);
  }

  private Behavior<HistoryRecorder.Command> recorder(ActorRef<CoordinatorCommand> coordinator) {
    if (setup.settings().historyBytes() == 0) {
      return HistoryRecorder.keepingNothing();
    }
    return HistoryRecorder.create(
        setup.home(),
        setup.settings().historyBytes(),
        history,
        coordinator,
        jobs -> JobsWithRows.of(setup.reader(), jobs),
        setup.clock());
  }

  /** Returns the owner with the share that they had. */
  private UserRow withShare(List<UserRow> known) {
    UserRow owner = setup.owner();
    return known.stream()
        .filter(user -> user.name().equals(owner.name()))
        .findFirst()
        .map(user -> new UserRow(owner.name(), user.share(), owner.tokenHash(), user.limits()))
        .orElse(owner);
  }

  private void set(ActorRef<CoordinatorCommand> coordinator, UserRow user) {
    unsaved++;
    coordinator.tell(
        new CoordinatorCommand.SetUser(
            user,
            context.<Reply<String>>messageAdapter(
                reply(), answer -> ServerRootActor.UserSaved.INSTANCE)));
  }

  @SuppressWarnings("unchecked") // a class literal has no type argument
  private static Class<Reply<String>> reply() {
    return (Class<Reply<String>>) (Class<?>) Reply.class;
  }

  /** Ends what it has begun. */
  void end() {
    if (care != null) {
      context.stop(care);
      context.stop(notices);
      context.stop(recorder);
      care = null;
    }
    journal = null;
  }
}
