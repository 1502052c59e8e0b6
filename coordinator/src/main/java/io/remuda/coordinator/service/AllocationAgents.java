package io.remuda.coordinator.service;

import io.remuda.agent.settings.Distribution;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.launch.AgentLaunchSettings;
import io.remuda.coordinator.launch.RunAgents;
import io.remuda.coordinator.slurm.SlurmAgents;
import java.io.IOException;
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
final class AllocationAgents {

  private static final Logger LOG = LoggerFactory.getLogger(AllocationAgents.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Path home;
  private final AllocationNote note;
  private final SlurmAgents agents;
  private final ActorSystem<ServiceGuardian.Command> system;
  private final ActorRef<CoordinatorCommand> coordinator;
  private final ActorRef<AllocationCare.Command> care;

  private AllocationAgents(
      Path home,
      AllocationNote note,
      SlurmAgents agents,
      ActorSystem<ServiceGuardian.Command> system,
      ActorRef<CoordinatorCommand> coordinator,
      ActorRef<AllocationCare.Command> care) {
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
  static Optional<AllocationAgents> start(
      JobService.Request request, ServiceFolder folder, ServiceBase base) throws IOException {
    Optional<AllocationNote> former = AllocationNote.read(folder.path());
    if (former.isEmpty() && request.allocation().isEmpty()) {
      return Optional.empty();
    }
    ActorRef<CoordinatorCommand> coordinator = coordinator(base.system());
    if (former.isPresent() && isOver(former.get())) {
      takeAway(base.system(), coordinator, former.get());
      AllocationNote.remove(folder.path());
    }
    return request.allocation().isPresent()
        ? Optional.of(start(request, request.allocation().get(), folder, base, coordinator))
        : Optional.empty();
  }

  private static boolean isOver(AllocationNote former) {
    try {
      SlurmAgents.endAll(former.jobs(), former.name());
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

  private static AllocationAgents start(
      JobService.Request request,
      JobService.Allocation allocation,
      ServiceFolder folder,
      ServiceBase base,
      ActorRef<CoordinatorCommand> coordinator)
      throws IOException {
    SlurmAgents agents = allocation.agents();
    String name = base.key().access(List.of()).cluster();
    AllocationNote note = new AllocationNote(agents.jobs(), name, agents.names());
    note.write(folder.path());
    try {
      agents.start(
          new AgentLaunchSettings(
              name, folder.path(), base.file(), request.cache(), null, Distribution.locate()));
    } catch (IOException fault) {
      agents.kill(); // those of the first components may run
      throw fault;
    }
    ActorRef<AllocationCare.Command> care =
        base.system()
            .systemActorOf(
                AllocationCare.create(
                    agents,
                    base.settings().nodePatience(),
                    allocation.margin(),
                    coordinator,
                    base.system()),
                "allocation",
                Props.empty());
    return new AllocationAgents(folder.path(), note, agents, base.system(), coordinator, care);
  }

  private static ActorRef<CoordinatorCommand> coordinator(
      ActorSystem<ServiceGuardian.Command> system) {
    return AskPattern.<ServiceGuardian.Command, ActorRef<CoordinatorCommand>>ask(
            system, ServiceGuardian.FindCoordinator::new, PATIENCE, system.scheduler())
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
      AskPattern.<AllocationCare.Command, RunAgents.Ended>ask(
              care,
              replyTo -> new AllocationCare.End(within, replyTo),
              within.plus(agents.forceWithin()),
              system.scheduler())
          .toCompletableFuture()
          .join();
      takeAway(system, coordinator, note);
      AllocationNote.remove(home);
    } catch (CompletionException | IOException late) {
      LOG.warn("the agents do not end: {}", late.getMessage()); // the next server goes on here
    }
  }

  private static void takeAway(
      ActorSystem<?> system, ActorRef<CoordinatorCommand> coordinator, AllocationNote note) {
    String why = "the Slurm job " + String.join(", ", note.jobs()) + " of the server has ended";
    AskPattern.<CoordinatorCommand, Integer>ask(
            coordinator,
            replyTo -> new CoordinatorCommand.TakeNodesAway(note.nodes(), why, replyTo),
            PATIENCE,
            system.scheduler())
        .toCompletableFuture()
        .join();
  }
}
