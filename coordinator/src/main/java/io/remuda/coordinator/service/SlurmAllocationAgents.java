package io.remuda.coordinator.service;

import io.remuda.agent.attempt.SmallJsonFiles;
import io.remuda.agent.settings.Distribution;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.launch.AgentLaunchSettings;
import io.remuda.coordinator.launch.RunAgents;
import io.remuda.coordinator.slurm.SlurmStepAgents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agents of a server on all nodes of its Slurm allocation, in which nothing outlives the
 * server. Blocks; for the thread that starts and ends the server.
 */
final class SlurmAllocationAgents {

  private static final Logger LOG = LoggerFactory.getLogger(SlurmAllocationAgents.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Path home;
  private final SlurmAllocationNote note;
  private final SlurmStepAgents agents;
  private final ActorSystem<ServerRootActor.Command> system;
  private final ActorRef<CoordinatorCommand> coordinator;
  private final ActorRef<SlurmAllocationSupervisor.Command> care;

  private SlurmAllocationAgents(
      Path home,
      SlurmAllocationNote note,
      SlurmStepAgents agents,
      ActorSystem<ServerRootActor.Command> system,
      ActorRef<CoordinatorCommand> coordinator,
      ActorRef<SlurmAllocationSupervisor.Command> care) {
    this.home = home;
    this.note = note;
    this.agents = agents;
    this.system = system;
    this.coordinator = coordinator;
    this.care = care;
  }

  /**
   * Ends what a killed server of this folder has left in its allocation, and starts the agents of
   * this one if it is in an allocation.
   *
   * @throws IOException if they cannot be started
   */
  static Optional<SlurmAllocationAgents> start(
      RunningJobServer.Request request, ServiceFolder folder, EarlyServiceParts base)
      throws IOException {
    Optional<SlurmAllocationNote> former = SlurmAllocationNote.read(folder.path());
    if (former.isEmpty() && request.allocation().isEmpty()) {
      return Optional.empty();
    }
    ActorRef<CoordinatorCommand> coordinator = coordinator(base.system());
    if (former.isPresent() && isOver(former.get())) {
      takeAway(base.system(), coordinator, former.get());
      SlurmAllocationNote.remove(folder.path());
    }
    return request.allocation().isPresent()
        ? Optional.of(start(request, request.allocation().get(), folder, base, coordinator))
        : Optional.empty();
  }

  private static boolean isOver(SlurmAllocationNote former) {
    try {
      SlurmStepAgents.endAll(former.jobs(), former.name());
      return true;
    } catch (IOException unknown) {
      LOG.warn(
          "whether tasks of the Slurm job {} still run is not known, so they are left as they are:"
              + " {}",
          String.join(", ", former.jobs()),
          unknown.getMessage());
      return false;
    }
  }

  private static SlurmAllocationAgents start(
      RunningJobServer.Request request,
      RunningJobServer.Allocation allocation,
      ServiceFolder folder,
      EarlyServiceParts base,
      ActorRef<CoordinatorCommand> coordinator)
      throws IOException {
    SlurmStepAgents agents = allocation.agents();
    String name = base.key().access(List.of()).cluster();
    SlurmAllocationNote note = new SlurmAllocationNote(agents.jobs(), name, agents.names());
    note.write(folder.path());
    try {
      agents.start(
          new AgentLaunchSettings(
              name, folder.path(), base.file(), request.cache(), null, Distribution.locate()));
    } catch (IOException fault) {
      agents.kill(); // those of the first components may run
      throw fault;
    }
    ActorRef<SlurmAllocationSupervisor.Command> care =
        base.system()
            .systemActorOf(
                SlurmAllocationSupervisor.create(
                    agents,
                    base.settings().nodePatience(),
                    allocation.margin(),
                    coordinator,
                    base.system()),
                "allocation",
                Props.empty());
    return new SlurmAllocationAgents(folder.path(), note, agents, base.system(), coordinator, care);
  }

  private static ActorRef<CoordinatorCommand> coordinator(
      ActorSystem<ServerRootActor.Command> system) {
    return AskPattern.<ServerRootActor.Command, ActorRef<CoordinatorCommand>>ask(
            system, ServerRootActor.FindCoordinator::new, PATIENCE, system.scheduler())
        .toCompletableFuture()
        .join();
  }

  /** Returns what to say of this start. */
  String words() {
    int nodes = note.nodes().size();
    return "in the Slurm job "
        + String.join(", ", note.jobs())
        + ": an agent on "
        + (nodes == 1 ? "its node " : "each of its " + nodes + " nodes ")
        + String.join(", ", note.nodes())
        + agents.endWords();
  }

  /** Returns how long tasks may take to end, so that what follows is done in time. */
  Duration tasksEndWithin() {
    return agents.timeForTasks();
  }

  /** Waits until the agents that were ordered to end have ended, and kills what is left of them. */
  void end() {
    Duration within = agents.endWithin(Duration.ofSeconds(3));
    try {
      AskPattern.<SlurmAllocationSupervisor.Command, RunAgents.Ended>ask(
              care,
              replyTo -> new SlurmAllocationSupervisor.End(within, replyTo),
              within.plus(agents.forceWithin()),
              system.scheduler())
          .toCompletableFuture()
          .join();
      takeAway(system, coordinator, note);
      SlurmAllocationNote.remove(home);
    } catch (CompletionException | IOException late) {
      LOG.warn("the agents do not end: {}", late.getMessage()); // the next server goes on here
    }
  }

  private static void takeAway(
      ActorSystem<?> system, ActorRef<CoordinatorCommand> coordinator, SlurmAllocationNote note) {
    String why = "the Slurm job " + String.join(", ", note.jobs()) + " of the server has ended";
    AskPattern.<CoordinatorCommand, Integer>ask(
            coordinator,
            replyTo -> new CoordinatorCommand.TakeNodesAway(note.nodes(), why, replyTo),
            PATIENCE,
            system.scheduler())
        .toCompletableFuture()
        .join();
  }

  /**
   * Says on which nodes of an allocation a server has agents, for the next server of the folder: if
   * this one is killed, nothing of them runs any more once the allocation has ended.
   *
   * @param jobs Slurm's ids of the allocation's components
   * @param name of the steps with the agents
   * @param nodes names of the nodes
   */
  private record SlurmAllocationNote(List<String> jobs, String name, List<String> nodes) {

    private static final String FILE = "allocation.json";

    public SlurmAllocationNote {
      jobs = List.copyOf(jobs);
      nodes = List.copyOf(nodes);
    }

    static Optional<SlurmAllocationNote> read(Path home) {
      return SmallJsonFiles.read(home, FILE, SlurmAllocationNote.class);
    }

    void write(Path home) throws IOException {
      SmallJsonFiles.write(home, FILE, this);
    }

    static void remove(Path home) throws IOException {
      Files.deleteIfExists(home.resolve(FILE));
    }
  }
}
