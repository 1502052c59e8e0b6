package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.BuildVersion;
import io.remuda.agent.protocol.WireMessage;
import io.remuda.telemetry.model.HostInfo;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which agents a coordinator accepts. */
class AgentProtocolTest {
  private static final int OWN = WireMessage.PROTOCOL_VERSION;

  private static Optional<String> refusal(int protocol, String build) {
    HostInfo host = new HostInfo("n1", "a CPU", 4, 4, 1L << 33, 1L << 33);
    return AgentSession.refusal(
        new AgentMessage.Hello(
            "n1", "boot", protocol, build, 12, host, List.of(), "test", List.of()));
  }

  @Test
  void an_agent_of_another_build_is_accepted() {
    assertEquals(Optional.empty(), refusal(OWN, BuildVersion.VERSION));
    assertEquals(Optional.empty(), refusal(OWN, "0.0.9"));
  }

  @Test
  void an_agent_of_another_protocol_is_refused_naming_both_and_what_to_do() {
    assertEquals(
        Optional.of(
            "the agent is build 0.0.9 and speaks version "
                + (OWN - 1)
                + " of the agents' protocol, the coordinator is build "
                + BuildVersion.VERSION
                + " and speaks version "
                + OWN
                + ": replace the agent by the other's release"),
        refusal(OWN - 1, "0.0.9"));
    assertEquals(
        "replace the coordinator by the other's release",
        refusal(OWN + 1, "9.0").orElseThrow().split(": ")[1]);
  }
}
