package io.remuda.bench;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.protocol.ClusterTls;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.actor.AgentListener;
import io.remuda.coordinator.actor.Coordinator;
import io.remuda.coordinator.actor.EventFileAppender;
import io.remuda.coordinator.actor.HandshakeRateLimiter;
import io.remuda.coordinator.actor.TelemetryPostProcessor;
import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.cluster.KnownLeader;
import io.remuda.coordinator.commit.CoordinatorPersistence;
import io.remuda.coordinator.commit.DurableLog;
import io.remuda.coordinator.console.Console;
import io.remuda.coordinator.registry.policy.LiveJobLimits;
import io.remuda.coordinator.settings.CoordinatorSettings;
import io.remuda.coordinator.settings.NoticeSettings;
import io.remuda.coordinator.store.JobChangeRowConverter;
import io.remuda.coordinator.store.StoreState;
import io.remuda.coordinator.store.row.StoreChange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * A coordinator with telemetry at 1 Hz and no jobs: agents join and stay idle. Unlike an ensemble
 * run it ends only when it is killed; restarted with the same access file and port, it continues
 * the same cluster. Prints telemetry lines, and node events with the monotonic clock's time, which
 * is that of Python's time.monotonic_ns().
 */
public final class CoordinatorWithoutJobs {

  private static final Duration SAMPLE = Duration.ofSeconds(1);

  private final Path folder;
  private final String host;
  private final int port;
  private final AccessFile access;
  private final Console console;

  private CoordinatorWithoutJobs(
      Path folder, String host, int port, AccessFile access, Console console) {
    this.folder = folder;
    this.host = host;
    this.port = port;
    this.access = access;
    this.console = console;
  }

  /** Starts the coordinator; arguments: folder of access.json, address, port. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    CoordinatorWithoutJobs coordinator =
        new CoordinatorWithoutJobs(
            folder,
            arguments[1],
            Integer.parseInt(arguments[2]),
            access(folder.resolve("access.json"), arguments[1] + ":" + arguments[2]),
            Console.of(System.out, System.err, System.out));
    Config config =
        ConfigFactory.parseString("pekko.actor.provider = local")
            .withFallback(ConfigFactory.load("coordinator"));
    ActorSystem.create(Behaviors.setup(coordinator::running), "bench", config);
  }

  /** Returns the access file of the previous coordinator, or creates one. */
  private static AccessFile access(Path file, String contact)
      throws IOException, GeneralSecurityException {
    if (Files.notExists(file)) {
      ClusterKey.create("bench", Clock.systemUTC().instant()).access(List.of(contact)).write(file);
    }
    return AccessFile.read(file);
  }

  private Behavior<Object> running(ActorContext<Object> context) throws GeneralSecurityException {
    CoordinatorSettings settings =
        CoordinatorSettings.from(
            context.getSystem().settings().config().getConfig("remuda.coordinator"));
    ActorRef<TelemetryPostProcessor.Command> postProcessor =
        context.spawn(TelemetryPostProcessor.create(console), "post-processor");
    ActorRef<EventFileAppender.Command> eventLog =
        context.spawn(
            EventFileAppender.create(folder.resolve("events.jsonl"), Clock.systemUTC()),
            "event-log",
            EventFileAppender.PROPS);
    ActorRef<CoordinatorCommand> coordinator =
        context.spawn(
            Coordinator.create(
                new Coordinator.Settings(
                    "bench",
                    1,
                    settings.contactDeadline(),
                    settings.tick(),
                    SAMPLE,
                    settings.retry(),
                    settings.sharing(),
                    Duration.ZERO,
                    LiveJobLimits.NONE,
                    NoticeSettings.USUAL),
                System::nanoTime,
                new Coordinator.Subscribers(
                    postProcessor,
                    eventLog,
                    context.getSystem().ignoreRef(),
                    context.getSystem().ignoreRef()),
                durable()),
            "coordinator");
    coordinator.tell(new CoordinatorCommand.Follow(context.getSelf().narrow()));
    coordinator.tell(CoordinatorCommand.StartTelemetry.INSTANCE);
    context.spawn(
        AgentListener.create(
            host,
            port,
            ClusterTls.of(access),
            settings.sessionSilence(),
            new HandshakeRateLimiter(settings.handshakesPerSecond(), System::nanoTime),
            KnownLeader.of(coordinator),
            context.getSelf().narrow()),
        "agent-listener");
    return Behaviors.receive(Object.class)
        .onMessage(AgentListener.Listening.class, event -> say("listening " + event.address()))
        .onMessage(AgentListener.CannotListen.class, event -> fail(event.cause()))
        .onMessage(ClusterEvent.NodeJoined.class, this::onJoined)
        .onMessage(ClusterEvent.NodeSilent.class, event -> say("silent " + event.node()))
        .onAnyMessage(event -> Behaviors.same())
        .build();
  }

  /** Returns an empty state whose commits are durable at once, since only nodes are measured. */
  private static CoordinatorPersistence durable() {
    StoreState empty =
        new StoreState(
            1, 1, 1, List.of(), Map.of(), Map.of(), List.of(), Map.of(), Map.of(), List.of());
    DurableLog log =
        new DurableLog() {
          @Override
          public void append(List<StoreChange> entries, Runnable committed) {
            committed.run();
          }

          @Override
          public Optional<String> trouble() {
            return Optional.empty();
          }
        };
    return new CoordinatorPersistence(
        log, empty, new JobChangeRowConverter(empty, Clock.systemUTC()), 0);
  }

  private Behavior<Object> onJoined(ClusterEvent.NodeJoined event) {
    return say("joined " + event.node().name() + " gpus=" + event.node().devices().size());
  }

  private Behavior<Object> say(String what) {
    console.result("bench " + System.nanoTime() + " " + what);
    return Behaviors.same();
  }

  private Behavior<Object> fail(String cause) {
    say("cannot listen: " + cause);
    return Behaviors.stopped();
  }
}
