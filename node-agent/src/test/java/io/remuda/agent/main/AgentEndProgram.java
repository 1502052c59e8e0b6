package io.remuda.agent.main;

import com.typesafe.config.ConfigFactory;
import io.remuda.agent.actor.NodeAgentCommand;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.testkit.PlainSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * An agent's program in which nothing but its end is real. It prints what its agent is told; the
 * agent ends when the input does, and when it is told to leave, unless {@code stays} says not to.
 */
final class AgentEndProgram {

  private AgentEndProgram() {}

  /**
   * Arguments: folder of the step, name of the run, what the agent ends with, grace in
   * milliseconds, whether it stays, and whether a server orders its end.
   */
  public static void main(String[] arguments) throws InterruptedException {
    Path folder = Path.of(arguments[0]);
    boolean stays = Boolean.parseBoolean(arguments[4]);
    ActorSystem<NodeAgentCommand> system =
        ActorSystem.create(
            agent(stays),
            "node",
            ConfigFactory.parseString("pekko.loglevel = OFF, pekko.stdout-loglevel = OFF"));
    AgentShutdown end =
        new AgentShutdown(
            new RunningAgent(
                system,
                settings(
                    folder,
                    arguments[1],
                    AgentSettings.EndsWith.valueOf(arguments[2]),
                    arguments[3]),
                null,
                new AtomicBoolean()),
            Optional.of(new SlurmStep("n1", folder, false)));
    if (Boolean.parseBoolean(arguments[5])) {
      end.leaveToServer();
    }
    inBackground(system::terminate, Thread.currentThread());
    end.await();
    System.out.println("over");
  }

  private static AgentSettings settings(
      Path folder, String run, AgentSettings.EndsWith tie, String grace) {
    return PlainSettings.of(
        "n1",
        run,
        folder.resolve("access.json"),
        folder,
        folder.resolve("cache"),
        tie,
        AgentSettings.Timing.from(
            ConfigFactory.parseString("grace = " + grace + " ms")
                .withFallback(ConfigFactory.defaultReference().getConfig("remuda.agent"))));
  }

  private static Behavior<NodeAgentCommand> agent(boolean stays) {
    return Behaviors.receive(NodeAgentCommand.class)
        .onMessage(
            NodeAgentCommand.Leave.class,
            leave -> {
              System.out.println("told to leave: " + leave.reason());
              return stays ? Behaviors.same() : Behaviors.stopped();
            })
        .onMessage(
            NodeAgentCommand.AwaitOrder.class,
            order -> {
              System.out.println("told to await an order: " + order.reason());
              return Behaviors.same();
            })
        .build();
  }

  /** Says when {@code waiting} waits for the end, and ends the agent with the input. */
  private static void inBackground(Runnable terminate, Thread waiting) {
    Thread thread =
        new Thread(
            () -> {
              while (waiting.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
              }
              System.out.println("waits");
              try {
                System.in.transferTo(System.out);
              } catch (IOException gone) {
                System.out.println(gone);
              }
              terminate.run();
            });
    thread.setDaemon(true);
    thread.start();
  }
}
