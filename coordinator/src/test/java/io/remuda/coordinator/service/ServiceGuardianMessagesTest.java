package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.typesafe.config.ConfigFactory;
import io.remuda.agent.protocol.ClusterTls;
import io.remuda.agent.settings.file.LayeredSettingsReader;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.actor.AgentListener;
import io.remuda.coordinator.actor.LeadingCoordinator;
import io.remuda.coordinator.rest.UserTokenRegistry;
import io.remuda.coordinator.settings.CoordinatorSettings;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.UserRow;
import io.remuda.coordinator.testkit.Messages;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.pekko.actor.UnhandledMessage;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.FishingOutcomes;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the root actor of a service is told before it begins, and while it runs. */
@Timeout(60)
class ServiceGuardianMessagesTest {
  private static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);
  private static final UserRow OWNER = new UserRow("ann", 1, UserTokenRegistry.hash("token"));

  @TempDir private Path folder;
  private final ActorTestKit kit =
      ActorTestKit.create(
          ConfigFactory.parseString("pekko.loglevel = OFF\npekko.remote.artery.transport = tcp")
              .withFallback(ConfigFactory.load("coordinator")));
  private final TestProbe<UnhandledMessage> unhandled = kit.createUnhandledMessageProbe();
  private final TestProbe<Object> starter = kit.createTestProbe();
  private final ActorRef<ServerRootActor.Command> guardian = kit.spawn(ServerRootActor.create());
  private StoreOpener.Opened store;
  private StoreReader reader;
  private List<ServerRootActor.Command> samples;

  @BeforeEach
  void open() throws Exception {
    store = StoreOpener.open(folder, Clock.systemUTC());
    reader = store.store().reader();
    ServerBinding binding =
        Http.get(kit.system())
            .newServerAt("127.0.0.1", 0)
            .bindSync(request -> HttpResponse.create())
            .toCompletableFuture()
            .get();
    samples =
        Messages.oneOfEach(
            ServerRootActor.Command.class,
            setup(),
            starter.ref(),
            binding,
            Duration.ZERO,
            new AgentListener.Listening(ANY_PORT),
            LeadingCoordinator.LeadsNoMore.INSTANCE);
  }

  @AfterEach
  void close() throws Exception {
    kit.shutdownTestKit();
    reader.close();
    store.journal().close();
  }

  private CoordinatorServiceParameters setup() throws Exception {
    return new CoordinatorServiceParameters(
        CoordinatorSettings.load(LayeredSettingsReader.withoutFile()),
        ClusterTls.of(ClusterKey.create("ann", Instant.now()).access(List.of())),
        ANY_PORT,
        ANY_PORT,
        false,
        folder.resolve("status"),
        folder,
        () -> CompletableFuture.completedFuture(store),
        reader,
        store.store().name(),
        Clock.systemUTC(),
        System::nanoTime,
        new UserTokenRegistry(List.of(), OWNER.name()),
        OWNER,
        List.of(),
        Optional.empty(),
        new OwnNodeAbsence(Optional.empty()));
  }

  private ServerRootActor.Begin begin() {
    return samples.stream()
        .filter(ServerRootActor.Begin.class::isInstance)
        .map(ServerRootActor.Begin.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private Stream<ServerRootActor.Command> allButBegin() {
    return samples.stream().filter(message -> !(message instanceof ServerRootActor.Begin));
  }

  @Test
  void before_it_begins_it_knows_nothing_else_for_nobody_can_reach_it() {
    allButBegin().forEach(guardian::tell);
    assertEquals(
        allButBegin().toList(),
        unhandled.receiveSeveralMessages((int) allButBegin().count()).stream()
            .map(UnhandledMessage::message)
            .toList());
  }

  @Test
  void while_it_runs_it_handles_all_but_another_begin_which_nobody_sends() {
    guardian.tell(begin());
    starter.fishForMessage(
        Duration.ofSeconds(20),
        message ->
            message instanceof ServerRootActor.Listens
                ? FishingOutcomes.complete()
                : FishingOutcomes.continueAndIgnore());
    allButBegin().forEach(guardian::tell);
    ServerRootActor.Begin last = begin();
    guardian.tell(last);
    assertEquals(last, unhandled.receiveMessage().message());
  }

  /** The guardian tells the first two by their class, and takes any other for the third. */
  @Test
  void of_a_leader_it_hears_three_things() {
    assertEquals(
        Set.of(
            LeadingCoordinator.Leads.class,
            LeadingCoordinator.CannotLead.class,
            LeadingCoordinator.LeadsNoMore.class),
        Set.of(LeadingCoordinator.Event.class.getPermittedSubclasses()));
  }
}
