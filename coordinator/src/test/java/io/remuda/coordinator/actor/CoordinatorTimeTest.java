package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.MessageToAgentSession;
import io.remuda.coordinator.registry.policy.LiveJobLimits;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.settings.NoticeSettings;
import io.remuda.coordinator.status.RunNodesStatus;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.testkit.ManualTicker;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CoordinatorTimeTest {
  private final ActorTestKit kit = ActorTestKit.create(ManualTime.config());
  private final ManualTime time = ManualTime.get(kit.system());

  @AfterEach
  void end() {
    kit.shutdownTestKit();
  }

  @Test
  void orders_go_out_once_a_tick_and_not_in_between() {
    ActorRef<CoordinatorCommand> coordinator =
        kit.spawn(
            Coordinator.create(
                new Coordinator.Settings(
                    "run",
                    1,
                    Duration.ofSeconds(6),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1),
                    new RetryPolicy(1, 1, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)),
                    new SchedulingSettings(
                        Duration.ofMinutes(1),
                        Duration.ofHours(24),
                        Duration.ofMinutes(5),
                        Duration.ZERO),
                    Duration.ZERO,
                    LiveJobLimits.NONE,
                    NoticeSettings.USUAL),
                new ManualTicker(),
                new Coordinator.Subscribers(
                    kit.<TelemetryPostProcessor.Command>createTestProbe().getRef(),
                    kit.<EventFileAppender.Command>createTestProbe().getRef(),
                    kit.<RunNodesStatus>createTestProbe().getRef(),
                    kit.<Coordinator.Ended>createTestProbe().getRef()),
                new MemoryLog().durable()));
    TestProbe<MessageToAgentSession> session = kit.createTestProbe();
    HostInfo host = new HostInfo("n1", "a CPU", 4, 4, 1L << 33, 1L << 33);
    coordinator.tell(
        new CoordinatorCommand.AgentJoined(
            new AgentMessage.Hello("n1", "boot", 1, "dev", 1, host, List.of(), "", List.of()),
            session.getRef(),
            "127.0.0.1"));
    session.expectMessage(
        new MessageToAgentSession.Send(new CoordinatorMessage.Welcome(1, 6000, 1000)));
    MessageToAgentSession.Send order =
        new MessageToAgentSession.Send(new CoordinatorMessage.Desired(1, 1, false, List.of()));
    session.expectMessage(order);
    time.expectNoMessageFor(Duration.ofMillis(999), session);
    time.timePasses(Duration.ofMillis(1));
    session.expectMessage(order);
    time.timePasses(Duration.ofSeconds(2));
    assertEquals(List.of(order, order), session.receiveSeveralMessages(2));
  }
}
