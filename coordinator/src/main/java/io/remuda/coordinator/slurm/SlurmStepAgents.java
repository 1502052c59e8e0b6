package io.remuda.coordinator.slurm;

import io.remuda.coordinator.launch.AgentCommand;
import io.remuda.coordinator.launch.AgentLaunchSettings;
import io.remuda.coordinator.launch.RunAgents;
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
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.slf4j.LoggerFactory;

/**
 * Agents on the nodes of an allocation, started by one srun for each of its components. A lost
 * agent is started again by a separate srun.
 */
public final class SlurmStepAgents implements RunAgents {

  /** Time in which srun reports the end of its step to Slurm's controller. */
  private static final Duration STEP_END = Duration.ofSeconds(3);

  /** Time for one squeue and some scancel commands. */
  private static final Duration FORCE = Duration.ofSeconds(15);

  /** Time that the agents need to end in order: their grace, and the end of the steps. */
  private static final Duration FOR_AGENTS = Duration.ofSeconds(6);

  /** What counts as left without a time limit. */
  private static final Duration LONG = Duration.ofDays(1);

  private static final Duration LOOK = Duration.ofMillis(200);

  private static final int ANY_PORT_TO_ROUTE_TO = 9; // discard; nothing is sent

  private final SlurmAllocation allocation;
  private final List<String> srunArguments;
  private final List<String> agentOptions;
  private final List<AgentStep> steps = new ArrayList<>();
  private final Set<String> nodes = new HashSet<>();
  private AgentLaunchSettings place;

  /**
   * @param srunArguments arguments of the user, added after those of Remuda
   */
  public SlurmStepAgents(SlurmAllocation allocation, List<String> srunArguments) {
    this(allocation, srunArguments, List.of());
  }

  /**
   * @param srunArguments arguments of the user, added after those of Remuda
   * @param agentOptions further options of every agent
   */
  public SlurmStepAgents(
      SlurmAllocation allocation, List<String> srunArguments, List<String> agentOptions) {
    this.allocation = allocation;
    this.srunArguments = List.copyOf(srunArguments);
    this.agentOptions = List.copyOf(agentOptions);
  }

  /** Returns Slurm's ids of the allocation's components. */
  public List<String> jobs() {
    return allocation.components().stream().map(SlurmAllocation.Component::job).toList();
  }

  /**
   * Returns the names of the nodes.
   *
   * @throws IOException if Slurm does not say them
   */
  public List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    for (SlurmAllocation.Component component : allocation.components()) {
      names.addAll(SlurmCommands.hostNames(component.nodeList()));
    }
    return names;
  }

  @Override
  public int count() {
    return allocation.nodes();
  }

  @Override
  public boolean shareFiles() {
    return false; // the run's folder is shared, but the cache may be local
  }

  /**
   * Returns this machine's address as the nodes see it: the source address of packets to the first
   * node.
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
          "cannot find this machine's address towards node "
              + node
              + " ("
              + fault.getMessage()
              + "): give it by --listen",
          fault);
    }
  }

  /** Resolves a node's name or, if that fails here, returns the address that Slurm uses. */
  private static InetAddress address(String node) throws IOException {
    try {
      return InetAddress.getByName(node);
    } catch (UnknownHostException unknown) {
      return InetAddress.getByName(SlurmCommands.nodeAddress(node));
    }
  }

  @Override
  public void start(AgentLaunchSettings where) throws IOException {
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
    agent.addAll(agentOptions);
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

  /** Returns whether a node belongs to the allocation. */
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
    throw new IOException(node + " is not a node of the allocation");
  }

  /** Returns the file with the output of srun. */
  Path log() {
    return place.folder().resolve("srun.log");
  }

  /** Returns whether all jobs of the allocation are still running. */
  boolean isOurs() throws IOException {
    return time().running();
  }

  /** Returns whether all jobs of the allocation are still running, and how long. */
  AllocationTime time() throws IOException {
    AllocationTime all = new AllocationTime(true, Optional.empty());
    for (String job : jobs()) {
      all = all.and(SlurmCommands.time(job));
    }
    return all;
  }

  /**
   * Returns why a server that ends so long before the allocation cannot begin in it; empty if it
   * can, or Slurm does not say how long that lasts.
   */
  public Optional<String> tooShortFor(Duration margin) {
    try {
      AllocationTime now = time();
      boolean tooShort = now.left().filter(left -> left.compareTo(margin) <= 0).isPresent();
      return now.running() && tooShort
          ? Optional.of("the Slurm job ends in " + now.left().get().toSeconds() + " s already")
          : Optional.empty();
    } catch (IOException silent) {
      return Optional.empty(); // the clock asks again
    }
  }

  /** Returns when the allocation ends, behind what is said of its nodes; empty if unknown. */
  public String endWords() {
    try {
      return time()
          .left()
          .map(left -> "; it ends " + AllocationEndText.of(left, ZonedDateTime.now()))
          .orElse("");
    } catch (IOException silent) {
      return ""; // the clock says so
    }
  }

  /**
   * Returns how long tasks may take to end, so that the agents can end in order afterwards: before
   * the time limit, or before Slurm kills a job that it ends already.
   */
  public Duration timeForTasks() {
    try {
      AllocationTime now = time();
      return forTasks(now.running() ? now.left().orElse(LONG) : SlurmCommands.killWait());
    } catch (IOException silent) {
      LoggerFactory.getLogger(SlurmStepAgents.class).warn("{}", silent.getMessage());
      return Duration.ZERO;
    }
  }

  /** Keeps some seconds for the end of the agents, of a short time half. */
  static Duration forTasks(Duration left) {
    Duration half = left.dividedBy(2);
    return half.compareTo(FOR_AGENTS) < 0 ? half : left.minus(FOR_AGENTS);
  }

  /**
   * Kills the agents that a server has left in its allocation, if that still runs.
   *
   * @param jobs Slurm's ids of its components
   * @param name of the steps with the agents
   * @throws IOException if Slurm does not answer, or they do not end
   */
  public static void endAll(List<String> jobs, String name) throws IOException {
    for (String job : jobs) {
      if (SlurmCommands.isRunning(job)) {
        for (String step : SlurmCommands.steps(job, name)) {
          SlurmCommands.kill(step);
        }
        awaitEnd(job, name);
      }
    }
  }

  private static void awaitEnd(String job, String name) throws IOException {
    long deadline = System.nanoTime() + FORCE.toNanos();
    while (!SlurmCommands.steps(job, name).isEmpty()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("the steps " + name + " of the Slurm job " + job + " do not end");
      }
      LockSupport.parkNanos(LOOK.toNanos());
    }
  }

  @Override
  public Behavior<Command> watch(Duration patience, ActorRef<Trouble> trouble) {
    return SlurmAgentWatcher.create(this, List.copyOf(steps), patience, trouble);
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
        LoggerFactory.getLogger(SlurmStepAgents.class).warn("{}", fault.getMessage());
      }
    }
    synchronized (steps) {
      steps.forEach(step -> step.srun().destroyForcibly());
    }
  }

  /** When an allocation ends, in words. */
  static final class AllocationEndText {

    private static final DateTimeFormatter TODAY =
        DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
    private static final DateTimeFormatter LATER =
        DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

    private AllocationEndText() {}

    /** Returns such as {@code at 14:20}, on another day than now with the date. */
    static String of(Duration left, ZonedDateTime now) {
      ZonedDateTime end = now.plus(left);
      boolean today = end.toLocalDate().equals(now.toLocalDate());
      return "at " + end.format(today ? TODAY : LATER);
    }
  }
}
