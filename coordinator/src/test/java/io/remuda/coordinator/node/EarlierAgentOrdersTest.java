package io.remuda.coordinator.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.BuildVersion;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.MachineFacts;
import io.remuda.agent.protocol.NodeAddressAndPorts;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.protocol.WireMessage;
import io.remuda.coordinator.api.MessageToAgentSession;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.stream.StandardStreamTerms;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.Test;

/** A node is sent only names of files that its build knows. */
class EarlierAgentOrdersTest {

  private static final StandardStreamTerms STREAMS =
      new StandardStreamTerms(null, null, false, "slurm-%j.out", "%3t-%J", false, null, true);

  private static AgentMessage.Hello hello(Set<String> understands) {
    return new AgentMessage.Hello(
        "n1",
        "boot",
        WireMessage.PROTOCOL_VERSION,
        BuildVersion.VERSION,
        12,
        new HostInfo("n1", "a CPU", 4, 4, 1L << 33, 1L << 33),
        List.of(),
        "test",
        Map.of(),
        List.of(),
        new MachineFacts("m", 2.5, 1L << 33, 256L << 20, true),
        "m",
        new NodeAddressAndPorts("10.0.0.1", 20_000, 29_999),
        understands,
        Map.of());
  }

  private static StandardStreamTerms sent(String... understands) {
    RetryPolicy retries =
        new RetryPolicy(1, 1, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10));
    AgentConnections nodes =
        new AgentConnections(
            new CoordinatorMessage.Welcome(1, 1000, 1000), new TaskRegistry(retries));
    TestInbox<MessageToAgentSession> agent = TestInbox.create();
    nodes.join(hello(Set.of(understands)), agent.getRef());
    nodes.add(
        "n1",
        new TaskStartOrder(
            AttemptId.parse("7.2.1"),
            "ann",
            false,
            0,
            new CommandWorkload(List.of("true"), Map.of(), "/", 0, null, null, STREAMS),
            List.of(),
            1,
            false,
            new TaskStartOrder.JobFacts(
                new UUID(1, 2), "x", 3, new ResourceRequest(1, 0), null, null, true)));
    nodes.orderChanged();
    CoordinatorMessage.Desired message =
        agent.getAllReceived().stream()
            .map(sent -> ((MessageToAgentSession.Send) sent).message())
            .filter(CoordinatorMessage.Desired.class::isInstance)
            .map(CoordinatorMessage.Desired.class::cast)
            .reduce((first, last) -> last)
            .orElseThrow();
    return ((CommandWorkload) message.tasks().get(0).workload()).streams();
  }

  @Test
  void a_node_of_this_build_is_sent_names_as_they_are() {
    assertEquals(STREAMS, sent(AgentMessage.Hello.PARAMETERS, AgentMessage.Hello.STREAMS));
  }

  @Test
  void a_node_of_an_earlier_build_is_sent_names_filled_in_and_no_file_that_may_be_missing() {
    assertEquals(
        new StandardStreamTerms(null, null, false, null, "00%t-10", false, null),
        sent(AgentMessage.Hello.PARAMETERS));
  }
}
