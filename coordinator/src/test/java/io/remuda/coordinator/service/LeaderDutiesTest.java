package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.settings.file.LayeredSettingsReader;
import io.remuda.coordinator.actor.LeadingCoordinator;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.CoordinatorQuestion;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.rest.UserTokenRegistry;
import io.remuda.coordinator.schedule.model.UserLimits;
import io.remuda.coordinator.settings.CoordinatorSettings;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.UserRow;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.Effect;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a service does for a coordinator that leads here; the guardian is one of the test. */
@Timeout(60)
class LeaderDutiesTest {
  private static final UserLimits TWO_GPUS = new UserLimits(2L, null, null, null);
  private static final UserRow OWNER = user("ann", "new-token");

  @TempDir private Path folder;
  private final TestInbox<CoordinatorCommand> coordinator = TestInbox.create();
  private final UserTokenRegistry tokens = new UserTokenRegistry(List.of(), OWNER.name());
  private StoreOpener.Opened store;
  private StoreReader reader;
  private LeaderDuties care;
  private BehaviorTestKit<ServerRootActor.Command> guardian;

  private static UserRow user(String name, String token) {
    return new UserRow(name, 1, UserTokenRegistry.hash(token));
  }

  /** The state has the owner, who has more than at first and another token, and Bob. */
  @BeforeEach
  void open() throws Exception {
    store = StoreOpener.open(folder, Clock.systemUTC());
    UserRow before = new UserRow(OWNER.name(), 3, UserTokenRegistry.hash("old-token"), TWO_GPUS);
    CountDownLatch durable = new CountDownLatch(1);
    store
        .journal()
        .append(
            List.of(
                new StoreChange.UserSet(before),
                new StoreChange.UserSet(user("bob", "bobs-token"))),
            durable::countDown);
    assertTrue(durable.await(60, TimeUnit.SECONDS));
    store.journal().close();
    store = StoreOpener.open(folder, Clock.systemUTC());
    reader = store.store().reader();
  }

  @AfterEach
  void close() throws Exception {
    reader.close();
    store.journal().close();
  }

  /** The parts of a service without an interface for agents or clients. */
  private CoordinatorServiceParameters setup(List<UserRow> renewed) {
    return new CoordinatorServiceParameters(
        CoordinatorSettings.load(LayeredSettingsReader.withoutFile()),
        null,
        new InetSocketAddress(0),
        new InetSocketAddress(0),
        false,
        folder.resolve("status"),
        folder,
        CompletableFuture::new,
        reader,
        store.store().name(),
        Clock.systemUTC(),
        System::nanoTime,
        tokens,
        OWNER,
        renewed,
        Optional.empty(),
        new OwnNodeAbsence(Optional.empty()));
  }

  private void leads(UserRow... renewed) {
    guardian =
        BehaviorTestKit.create(
            Behaviors.setup(
                context -> {
                  care = new LeaderDuties(context, setup(List.of(renewed)));
                  care.begin(new LeadingCoordinator.Leads(store, coordinator.getRef()));
                  return Behaviors.receive(ServerRootActor.Command.class)
                      .onMessage(ServerRootActor.UserSaved.class, saved -> saved())
                      .onSignal(PostStop.class, signal -> leadsNoMore())
                      .build();
                }));
  }

  private Behavior<ServerRootActor.Command> saved() {
    care.userSaved();
    return Behaviors.same();
  }

  private Behavior<ServerRootActor.Command> leadsNoMore() {
    care.end();
    return Behaviors.same();
  }

  /** Answers that the next user in the coordinator's inbox is durable, and returns the user. */
  private UserRow saveNext() {
    CoordinatorCommand.SetUser set = (CoordinatorCommand.SetUser) coordinator.receiveMessage();
    set.replyTo().tell(Reply.of(set.user().name()));
    guardian.runOne();
    return set.user();
  }

  private Optional<String> owner(String token) {
    return tokens.callerOf(token).filter(CoordinatorCommand.Caller::mayAll).map(who -> who.user());
  }

  @Test
  void before_a_coordinator_leads_here_nothing_is_durable_and_nothing_in_trouble() {
    BehaviorTestKit<ServerRootActor.Command> idle =
        BehaviorTestKit.create(
            Behaviors.setup(
                (ActorContext<ServerRootActor.Command> context) -> {
                  care = new LeaderDuties(context, setup(List.of()));
                  return Behaviors.empty();
                }));
    assertFalse(idle.hasEffects());
    assertFalse(care.isDurable());
    assertEquals(Optional.empty(), care.trouble());
  }

  @Test
  void users_of_the_state_have_their_tokens_and_the_owner_has_that_of_this_start() {
    leads();
    assertEquals("bob", tokens.callerOf("bobs-token").orElseThrow().user());
    assertEquals(Optional.empty(), owner("bobs-token"));
    assertEquals(Optional.of("ann"), owner("new-token"));
    assertEquals(Optional.empty(), tokens.callerOf("old-token"));
  }

  @Test
  void the_owner_keeps_the_share_and_the_limits_that_the_state_has() {
    leads();
    UserRow told = saveNext();
    assertEquals(new UserRow("ann", 3, OWNER.tokenHash(), TWO_GPUS), told);
    assertEquals(Optional.of(told), tokens.user("ann"));
  }

  @Test
  void telemetry_starts_once_the_coordinator_knows_the_owner() {
    leads();
    saveNext();
    assertEquals(CoordinatorCommand.StartTelemetry.INSTANCE, coordinator.receiveMessage());
    assertInstanceOf(
        CoordinatorQuestion.LookAtActivity.class,
        coordinator.receiveMessage(),
        "the history begins with it");
    assertFalse(coordinator.hasMessages());
  }

  @Test
  void it_is_durable_once_each_user_is_whose_token_is_new() {
    leads(user("bob", "x").without(UserRow.RENEW));
    assertFalse(care.isDurable());
    saveNext();
    assertFalse(care.isDurable(), "Bob's row is not");
    saveNext();
    assertTrue(care.isDurable());
  }

  @Test
  void a_token_that_others_may_have_seen_is_invalid_here_and_in_the_state() {
    UserRow renewed = user("bob", "x").without(UserRow.RENEW);
    leads(renewed);
    assertEquals(Optional.empty(), tokens.callerOf("bobs-token"));
    saveNext();
    assertEquals(renewed, saveNext());
  }

  @Test
  void what_tidies_sends_notices_and_keeps_the_history_lives_as_long_as_the_coordinator_leads() {
    leads();
    assertEquals(3, count(Effect.SpawnedAnonymous.class));
    guardian.signal(PostStop.instance());
    assertEquals(3, count(Effect.Stopped.class));
    guardian.signal(PostStop.instance());
    assertEquals(0, count(Effect.Stopped.class), "it has ended already");
  }

  private long count(Class<? extends Effect> type) {
    return guardian.getAllEffects().stream().filter(type::isInstance).count();
  }

  @Test
  void a_state_that_cannot_be_written_any_more_ends_the_service_as_failed() throws Exception {
    leads();
    store
        .journal()
        .append(
            List.of(),
            () -> {
              throw new IllegalStateException("of the test");
            });
    store.journal().close(); // returns when its thread has ended, which has told by then
    assertEquals(
        new ServerRootActor.Stop(RunningJobServer.End.FAULT),
        guardian.selfInbox().receiveMessage());
    assertTrue(care.trouble().orElse("").contains("of the test"), care.trouble().toString());
    guardian.signal(PostStop.instance());
    assertEquals(Optional.empty(), care.trouble(), "it is that of another leader now");
  }
}
