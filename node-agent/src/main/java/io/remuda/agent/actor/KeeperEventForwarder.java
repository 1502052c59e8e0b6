package io.remuda.agent.actor;

import io.remuda.agent.keeper.KeeperLink;
import io.remuda.agent.keeper.KeeperUnresponsiveException;
import io.remuda.agent.keeper.TaskView;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Passes the events of one connection to the keeper on. Any thread.
 *
 * @param connection number of the connection
 * @param port learns that the connection has ended
 */
record KeeperEventForwarder(
    long connection, ActorRef<NodeAgentCommand> agent, ActorRef<KeeperConnectionActor.Command> port)
    implements KeeperLink.Listener {

  @Override
  public void exited(TaskView task) {
    agent.tell(new NodeAgentCommand.TaskExited(task));
  }

  @Override
  public void silent(long millis) {
    agent.tell(new NodeAgentCommand.KeeperSilent(millis));
  }

  @Override
  public void disconnected(Throwable cause) {
    port.tell(
        new KeeperConnectionActor.Disconnected(
            connection,
            String.valueOf(cause.getMessage()),
            cause instanceof KeeperUnresponsiveException));
  }
}
