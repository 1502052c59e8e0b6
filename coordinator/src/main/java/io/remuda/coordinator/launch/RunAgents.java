package io.remuda.coordinator.launch;

import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/**
 * The agents that a run starts itself, on this machine or in a Slurm job, and the messages to and
 * from the actor that watches them.
 */
public interface RunAgents {

  /** A message to the watching actor. */
  interface Command {}

  /** The node is silent; if that lasts, its agent is replaced. */
  record Silent(String node) implements Command {}

  /** A message of the node has arrived. */
  record Heard(String node) implements Command {}

  /** The node's agent ends because of a signal. */
  record Signalled(String node) implements Command {}

  /** The agents were ordered to end; kills the processes that remain after {@code within}. */
  record End(Duration within, ActorRef<Ended> replyTo) implements Command {}

  /** All processes of the nodes have ended. */
  enum Ended {
    INSTANCE
  }

  /** A problem with the agents, reported to the run. */
  sealed interface Trouble {}

  /** An agent was given up after it could not be started or ended early several times. */
  record GaveUp(String node, String cause) implements Trouble {}

  /** An agent ended before its first message; another one is started in its place. */
  record NeverHeard(String node) implements Trouble {}

  /** The run loses its machines and must end. */
  record Revoked(String cause) implements Trouble {}

  /** Returns the number of nodes that the agents will be. */
  int count();

  /** Returns the longest name of a node with its sockets below the run's folder; may be empty. */
  default String longestLocalName() {
    return "";
  }

  /**
   * Returns whether all nodes see this machine's files, so that data found here has the same path
   * there.
   */
  boolean shareFiles();

  /**
   * Starts the agents; they wait for the run's access file.
   *
   * @param place of the run that they belong to
   * @throws java.io.IOException if they cannot be started
   */
  void start(AgentLaunchSettings place) throws java.io.IOException;

  /**
   * Returns the watching actor, which starts agents again and leaves no process at the end. It
   * blocks, so it runs on the blocking dispatcher.
   *
   * @param patience how long a node may be silent while its agent may live
   * @param trouble is notified of problems
   */
  Behavior<Command> watch(Duration patience, ActorRef<Trouble> trouble);

  /** Returns the time from the order to end until remaining processes are killed. */
  default Duration endWithin(Duration usual) {
    return usual;
  }

  /** Returns how long killing may take. */
  default Duration forceWithin() {
    return Duration.ofMillis(500);
  }

  /** Kills all processes of all agents, after a second signal of the user; any thread. */
  void kill();
}
