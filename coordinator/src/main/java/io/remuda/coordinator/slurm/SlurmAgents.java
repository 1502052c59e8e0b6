package io.remuda.coordinator.slurm;

import io.remuda.coordinator.launch.AgentCommand;
import io.remuda.coordinator.launch.RunAgents;
import io.remuda.coordinator.launch.RunPlace;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.slf4j.LoggerFactory;

/**
 * Agents on the nodes of an allocation, started by one srun for each of its components. An agent
 * that is lost is started again by an srun of its own.
 */
public final class SlurmAgents implements RunAgents {

  /** srun tells Slurm's controller that its step is over, and waits for the answer. */
  private static final Duration STEP_END = Duration.ofSeconds(3);

  /** An answer of squeue and some of scancel. */
  private static final Duration FORCE = Duration.ofSeconds(15);

  private static final int ANY_PORT_TO_ROUTE_TO = 9; // discard; nothing is sent

  private final SlurmAllocation allocation;
  private final List<String> srunArguments;
  private final List<AgentStep> steps = new ArrayList<>();
  private final Set<String> nodes = new HashSet<>();
  private RunPlace place;

  /**
   * Agents that are not started yet.
   *
   * @param srunArguments the user's own, after ours
   */
  public SlurmAgents(SlurmAllocation allocation, List<String> srunArguments) {
    this.allocation = allocation;
    this.srunArguments = List.copyOf(srunArguments);
  }

  @Override
  public int count() {
    return allocation.nodes();
  }

  @Override
  public boolean shareFiles() {
    return false; // the run's folder is shared, its cache may be of this machine
  }

  /**
   * This machine's address as the nodes see it: that from which packets for the first node leave.
   *
   * @throws IOException if that node's name cannot be resolved
   */
  public InetAddress addressTowardsNodes() throws IOException {
    String node = SlurmCommands.hostNames(allocation.components().get(0).nodeList()).get(0);
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(new InetSocketAddress(address(node), ANY_PORT_TO_ROUTE_TO));
      return socket.getLocalAddress();
    } catch (UnknownHostException | SocketException fault) {
      throw new IOException(
          "cannot tell this machine's address towards node "
              + node
              + " ("
              + fault.getMessage()
              + "): give it by --listen",
          fault);
    }
  }

  /** By its name, or where that does not resolve here, the address that Slurm uses. */
  private static InetAddress address(String node) throws IOException {
    try {
      return InetAddress.getByName(node);
    } catch (UnknownHostException unknown) {
      return InetAddress.getByName(SlurmCommands.nodeAddress(node));
    }
  }

  @Override
  public void start(RunPlace where) throws IOException {
    place = where;
    for (SlurmAllocation.Component component : allocation.components()) {
      List<String> names = SlurmCommands.hostNames(component.nodeList());
      nodes.addAll(names);
      for (String node : names) {
        Files.createDirectories(
            place.node(node),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      steps.add(start(component, names));
    }
  }

  private AgentStep start(SlurmAllocation.Component component, List<String> nodes)
      throws IOException {
    List<String> agent = new ArrayList<>(AgentCommand.of(place));
    agent.add("--slurm-step");
    return AgentStep.start(
        nodes,
        SlurmCommands.srun(
            component,
            String.join(",", nodes),
            nodes.size(),
            place.run(),
            place.node("%N").resolve("agent.log"),
            srunArguments,
            agent),
        log());
  }

  /** Whether a node is one of the allocation's. */
  boolean has(String node) {
    return nodes.contains(node);
  }

  /** Starts the agent of one node again. */
  AgentStep startAgain(String node) throws IOException {
    for (SlurmAllocation.Component component : allocation.components()) {
      if (SlurmCommands.hostNames(component.nodeList()).contains(node)) {
        AgentStep step = start(component, List.of(node));
        synchronized (steps) {
          steps.add(step);
        }
        return step;
      }
    }
    throw new IOException(node + " is none of the allocation's nodes");
  }

  /** What srun said. */
  Path log() {
    return place.folder().resolve("srun.log");
  }

  /** Whether Slurm still leaves all of the nodes to us. */
  boolean isOurs() throws IOException {
    for (SlurmAllocation.Component component : allocation.components()) {
      if (!SlurmCommands.isRunning(component.job())) {
        return false;
      }
    }
    return true;
  }

  @Override
  public Behavior<Command> watch(Duration patience, ActorRef<Trouble> trouble) {
    return SlurmNodes.create(this, List.copyOf(steps), patience, trouble);
  }

  @Override
  public Duration endWithin(Duration usual) {
    return usual.plus(STEP_END);
  }

  @Override
  public Duration forceWithin() {
    return FORCE;
  }

  @Override
  public void kill() {
    for (SlurmAllocation.Component component : allocation.components()) {
      try {
        for (String step : SlurmCommands.steps(component.job(), place.run())) {
          SlurmCommands.kill(step);
        }
      } catch (IOException fault) {
        LoggerFactory.getLogger(SlurmAgents.class).warn("{}", fault.getMessage());
      }
    }
    synchronized (steps) {
      steps.forEach(step -> step.srun().destroyForcibly());
    }
  }
}
