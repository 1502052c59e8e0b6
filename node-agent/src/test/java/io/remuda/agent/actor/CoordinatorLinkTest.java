package io.remuda.agent.actor;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.ClusterTls;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.testkit.Messages;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.agent.testkit.TestKeys;
import io.remuda.telemetry.testkit.ManualTicker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CoordinatorLinkTest {
  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ConfigFactory.parseString("pekko.loglevel = WARNING")
              .withFallback(ConfigFactory.load("agent")));
  private static final AccessFile KEY = TestKeys.access("ours", List.of());
  private static final AgentMessage LEAVING = new AgentMessage.Leaving("signal");
  private static final CoordinatorMessage WELCOME = new CoordinatorMessage.Welcome(1, 6000, 1000);

  @TempDir private Path folder;
  private final ManualTicker clock = new ManualTicker();
  private final TestProbe<NodeAgentCommand> agent = KIT.createTestProbe();
  private FakeCoordinator coordinator;
  private ActorRef<CoordinatorLink.Command> link;

  @BeforeEach
  void listen() throws Exception {
    coordinator = new FakeCoordinator(KIT.system(), ClusterTls.of(KEY)).listen();
  }

  @AfterEach
  void end() throws Exception {
    if (link != null) {
      link.tell(CoordinatorLink.Close.INSTANCE);
      agent.expectTerminated(link, Duration.ofSeconds(10));
    }
    coordinator.stops();
  }

  @AfterAll
  static void endAll() {
    KIT.shutdownTestKit();
  }

  private static AgentSettings.Timing timing(Duration readTimeout, Duration retry) {
    AgentSettings.Timing usual = TestAgents.timing();
    return new AgentSettings.Timing(
        usual.connectTimeout(),
        readTimeout,
        retry,
        usual.report(),
        usual.workerSilence(),
        usual.workerStart(),
        usual.grace(),
        usual.turn(),
        usual.giveUp(),
        usual.standstill(),
        usual.driverStart(),
        usual.driverDeadline());
  }

  private void publish(AccessFile key) throws Exception {
    new AccessFile(1, List.of(coordinator.contact()), key.certificate(), key.privateKey())
        .write(folder.resolve("access.json"));
  }

  private void dial(Duration readTimeout) {
    dial(readTimeout, Duration.ofMillis(10));
  }

  private void dial(Duration readTimeout, Duration retry) {
    link =
        KIT.spawn(
            CoordinatorLink.create(
                TestAgents.settings(folder, timing(readTimeout, retry)), agent.getRef(), clock));
  }

  private void connect() throws Exception {
    publish(KEY);
    dial(Duration.ofSeconds(20));
    expect(new NodeAgentCommand.LinkUp("127.0.0.1"));
  }

  private void expect(NodeAgentCommand message) {
    assertEquals(message, agent.receiveMessage(Duration.ofSeconds(10)));
  }

  /** Says hello, so that the connection is surely there on both sides. */
  private void sayHello() throws Exception {
    link.tell(new CoordinatorLink.Send(LEAVING));
    assertEquals(LEAVING, coordinator.hears());
  }

  @Test
  void every_command_is_handled() {
    BehaviorTestKit<CoordinatorLink.Command> kit =
        BehaviorTestKit.create(
            CoordinatorLink.create(TestAgents.settings(folder), agent.getRef(), clock));
    List<CoordinatorLink.Command> samples =
        Messages.oneOfEach(CoordinatorLink.Command.class, LEAVING, WELCOME, Optional.empty());
    assertEquals(CoordinatorLink.Command.class.getPermittedSubclasses().length, samples.size());
    samples.stream()
        .filter(sample -> sample != CoordinatorLink.Close.INSTANCE)
        .forEach(sample -> assertHandled(kit, sample));
    assertHandled(kit, CoordinatorLink.Close.INSTANCE);
    assertFalse(kit.isAlive());
  }

  private static void assertHandled(
      BehaviorTestKit<CoordinatorLink.Command> kit, CoordinatorLink.Command sample) {
    kit.run(sample);
    assertFalse(Behavior.isUnhandled(kit.returnedBehavior()), sample.toString());
  }

  @Test
  void an_agent_goes_to_the_leader_that_another_coordinator_names() throws Exception {
    FakeCoordinator leader = new FakeCoordinator(KIT.system(), ClusterTls.of(KEY)).listen();
    try {
      List<String> contacts =
          List.of(coordinator.contact(), coordinator.contact(), leader.contact());
      new AccessFile(1, contacts, KEY.certificate(), KEY.privateKey())
          .write(folder.resolve("access.json"));
      dial(Duration.ofSeconds(20), Duration.ofSeconds(5)); // the waits of failures are not spent
      expect(new NodeAgentCommand.LinkUp("127.0.0.1"));
      sayHello();
      coordinator.says(new CoordinatorMessage.NotLeader(leader.contact()));
      expect(NodeAgentCommand.LinkDown.INSTANCE);
      expect(new NodeAgentCommand.LinkUp("127.0.0.1"));
      link.tell(new CoordinatorLink.Send(LEAVING));
      assertEquals(LEAVING, leader.hears());
    } finally {
      leader.stops();
    }
  }

  @Test
  void an_agent_dials_no_address_that_its_access_file_lacks() throws Exception {
    FakeCoordinator stranger = new FakeCoordinator(KIT.system(), ClusterTls.of(KEY)).listen();
    try {
      connect();
      sayHello();
      coordinator.says(new CoordinatorMessage.NotLeader(stranger.contact()));
      expect(NodeAgentCommand.LinkDown.INSTANCE);
      expect(new NodeAgentCommand.LinkUp("127.0.0.1"));
      sayHello(); // to the one that it knows
    } finally {
      stranger.stops();
    }
  }

  @Test
  void messages_go_both_ways() throws Exception {
    connect();
    sayHello();
    coordinator.says(WELCOME);
    expect(new NodeAgentCommand.FromCoordinator(WELCOME));
  }

  @Test
  void it_waits_for_the_access_file() throws Exception {
    dial(Duration.ofSeconds(20));
    publish(KEY);
    expect(new NodeAgentCommand.LinkUp("127.0.0.1"));
    sayHello();
  }

  @Test
  void it_dials_again_when_its_connection_is_closed() throws Exception {
    connect();
    sayHello();
    coordinator.closesConnections();
    expect(NodeAgentCommand.LinkDown.INSTANCE);
    expect(new NodeAgentCommand.LinkUp("127.0.0.1"));
    sayHello();
  }

  @Test
  void it_ends_between_two_dials_without_a_fault() throws Exception {
    publish(KEY);
    AgentSettings patient =
        TestAgents.settings(folder, timing(Duration.ofSeconds(20), Duration.ofMinutes(5)));
    TestProbe<String> parent = KIT.createTestProbe();
    ActorRef<CoordinatorLink.Command> child =
        KIT.spawn(
            parentOf(CoordinatorLink.create(patient, agent.getRef(), clock), parent.getRef()));
    expect(new NodeAgentCommand.LinkUp("127.0.0.1"));
    child.tell(new CoordinatorLink.Send(LEAVING));
    assertEquals(LEAVING, coordinator.hears());
    coordinator.closesConnections();
    expect(NodeAgentCommand.LinkDown.INSTANCE);
    child.tell(CoordinatorLink.Close.INSTANCE);
    parent.expectMessage(Duration.ofSeconds(10), "ended");
  }

  /** Passes everything to a child and says how that ended. */
  private static Behavior<CoordinatorLink.Command> parentOf(
      Behavior<CoordinatorLink.Command> behavior, ActorRef<String> observer) {
    return Behaviors.setup(
        context -> {
          ActorRef<CoordinatorLink.Command> child = context.spawnAnonymous(behavior);
          context.watch(child);
          return Behaviors.receive(CoordinatorLink.Command.class)
              .onAnyMessage(
                  message -> {
                    child.tell(message);
                    return Behaviors.same();
                  })
              .onSignal(ChildFailed.class, signal -> say(observer, "failed: " + signal.cause()))
              .onSignal(Terminated.class, signal -> say(observer, "ended"))
              .build();
        });
  }

  private static Behavior<CoordinatorLink.Command> say(ActorRef<String> observer, String text) {
    observer.tell(text);
    return Behaviors.same();
  }

  @Test
  void it_dials_again_when_the_coordinator_hangs_up() throws Exception {
    connect();
    sayHello();
    coordinator.hangsUp();
    expect(NodeAgentCommand.LinkDown.INSTANCE);
    expect(new NodeAgentCommand.LinkUp("127.0.0.1"));
    sayHello();
  }

  @Test
  void it_dials_until_a_listener_is_back() throws Exception {
    connect();
    sayHello();
    coordinator.stops();
    expect(NodeAgentCommand.LinkDown.INSTANCE);
    coordinator.listen();
    expect(new NodeAgentCommand.LinkUp("127.0.0.1"));
    sayHello();
  }

  @Test
  void a_coordinator_that_says_nothing_is_dialled_again() throws Exception {
    publish(KEY);
    dial(Duration.ofMillis(300));
    expect(new NodeAgentCommand.LinkUp("127.0.0.1"));
    expect(NodeAgentCommand.LinkDown.INSTANCE);
    expect(new NodeAgentCommand.LinkUp("127.0.0.1"));
    await().until(() -> coordinator.connections() >= 2);
  }

  @Test
  void what_is_sent_without_a_connection_is_dropped() throws Exception {
    dial(Duration.ofSeconds(20));
    link.tell(new CoordinatorLink.Send(new AgentMessage.Leaving("too early")));
    publish(KEY);
    expect(new NodeAgentCommand.LinkUp("127.0.0.1"));
    sayHello();
    assertTrue(coordinator.heardNothing());
  }

  @Test
  void old_messages_are_dropped_after_a_pause_of_the_agent() throws Exception {
    connect();
    sayHello();
    coordinator.says(WELCOME);
    expect(new NodeAgentCommand.FromCoordinator(WELCOME));
    clock.advance(Duration.ofSeconds(21));
    coordinator.says(new CoordinatorMessage.EndNode("said before the pause", 0));
    expect(NodeAgentCommand.LinkDown.INSTANCE);
    expect(new NodeAgentCommand.LinkUp("127.0.0.1"));
    sayHello();
    coordinator.says(WELCOME);
    expect(new NodeAgentCommand.FromCoordinator(WELCOME));
  }

  @Test
  void a_listener_of_another_cluster_hears_nothing() throws Exception {
    publish(TestKeys.access("ours", List.of()));
    dial(Duration.ofSeconds(20));
    expect(new NodeAgentCommand.LinkUp("127.0.0.1")); // the socket is there, the handshake is not
    link.tell(new CoordinatorLink.Send(LEAVING));
    expect(NodeAgentCommand.LinkDown.INSTANCE);
    assertTrue(coordinator.heardNothing());
  }

  @Test
  void a_refused_key_is_told_with_the_file_that_may_be_old() {
    Path access = Path.of("/far/access.json");
    String told = CoordinatorLink.cause(new SSLHandshakeException("PKIX"), access);
    assertTrue(told.contains("each other's key (PKIX)"), told);
    assertTrue(told.endsWith("put the access.json of a coordinator at /far/access.json"), told);
    String other = CoordinatorLink.cause(new IOException("reset"), access);
    assertEquals("java.io.IOException: reset", other);
  }

  @Test
  void contacts_are_dialled_in_turn() throws Exception {
    FakeCoordinator gone = new FakeCoordinator(KIT.system(), ClusterTls.of(KEY)).listen();
    gone.stops();
    new AccessFile(
            1, List.of(gone.contact(), coordinator.contact()), KEY.certificate(), KEY.privateKey())
        .write(folder.resolve("access.json"));
    dial(Duration.ofSeconds(20));
    expect(new NodeAgentCommand.LinkUp("127.0.0.1"));
    sayHello();
  }

  @Test
  void a_damaged_access_file_is_read_again_until_it_is_good() throws Exception {
    new AccessFile(1, List.of(), "", "").write(folder.resolve("access.json"));
    dial(Duration.ofSeconds(20));
    publish(KEY);
    expect(new NodeAgentCommand.LinkUp("127.0.0.1"));
  }
}
