package io.remuda.coordinator.launch;

import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/**
 * The agents that a run starts by itself, wherever they are, and the conversation with whoever
 * watches over them.
 */
public interface RunAgents {

  /** What the watch is told. */
  interface Command {}

  /** Nothing is heard of the node; if that lasts, its agent is replaced. */
  record Silent(String node) implements Command {}

  /** The node is heard of. */
  record Heard(String node) implements Command {}

  /** The node's agent ends because it was told to by a signal. */
  record Signalled(String node) implements Command {}

  /** The agents were told to end: see that they do. */
  record End(Duration within, ActorRef<Ended> replyTo) implements Command {}

  /** Nothing of the nodes is left. */
  enum Ended {
    INSTANCE
  }

  /** What is wrong with the agents. */
  sealed interface Trouble {}

  /** An agent cannot stay up. */
  record GaveUp(String node, String cause) implements Trouble {}

  /** An agent ended before its first word; another one is started in its place. */
  record NeverHeard(String node) implements Trouble {}

  /** The machines are taken from us: the run must end. */
  record Revoked(String cause) implements Trouble {}

  /** How many nodes there will be. */
  int count();

  /** The longest name of a node that keeps its sockets below the run's folder, or nothing. */
  default String longestLocalName() {
    return "";
  }

  /**
   * Whether all nodes see this machine's files, so that data found here is found there at the same
   * path.
   */
  boolean shareFiles();

  /**
   * Starts them; they wait for the run's access file.
   *
   * @param place of the run that they belong to
   * @throws java.io.IOException if they cannot be started
   */
  void start(RunPlace place) throws java.io.IOException;

  /**
   * The watch over them: agents that end are started again, at the end nothing of them is left. It
   * blocks, so it runs on the blocking dispatcher.
   *
   * @param patience with a node that is silent while its agent may live
   */
  Behavior<Command> watch(Duration patience, ActorRef<Trouble> trouble);

  /** From the order to end to the moment when whatever is left is killed. */
  default Duration endWithin(Duration usual) {
    return usual;
  }

  /** How long the killing itself may take. */
  default Duration forceWithin() {
    return Duration.ofMillis(500);
  }

  /** Kills every process of every agent, from any thread, for a user in a hurry. */
  void kill();
}
