package io.remuda.agent.main;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import io.remuda.agent.actor.NodeAgentCommand;
import io.remuda.agent.settings.AgentLock;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.testkit.PlainSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RunningAgentTest {

  private static final int OFTEN = 200;

  @TempDir private Path folder;

  private RunningAgent agent(ActorSystem<NodeAgentCommand> system) throws IOException {
    AgentSettings settings =
        PlainSettings.of(
            "n1",
            "run",
            folder.resolve("access.json"),
            folder,
            folder.resolve("cache"),
            AgentSettings.EndsWith.NONE,
            AgentSettings.Timing.from(
                ConfigFactory.defaultReference().getConfig("remuda.agent").resolve()));
    AgentLock lock = AgentLock.take(folder).orElseThrow(() -> new AssertionError("it is held"));
    return new RunningAgent(system, settings, lock, new AtomicBoolean());
  }

  @Test
  void an_agent_that_has_ended_has_given_its_folder_back_when_it_is_closed() throws IOException {
    ActorSystem<NodeAgentCommand> system =
        ActorSystem.create(
            Behaviors.<NodeAgentCommand>ignore(),
            "node",
            ConfigFactory.parseString("pekko.loglevel = OFF, pekko.stdout-loglevel = OFF")
                .withFallback(ConfigFactory.load()));
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().join();
    for (int i = 0; i < OFTEN; i++) {
      RunningAgent agent = agent(system);
      agent.close();
      RunningAgent next = agent(system);
      agent.close(); // as of one that was killed before
      assertTrue(AgentLock.isHeld(folder), "by the next");
      next.close();
    }
  }
}
