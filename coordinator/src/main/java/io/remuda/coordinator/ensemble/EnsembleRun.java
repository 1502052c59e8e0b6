package io.remuda.coordinator.ensemble;

import io.remuda.agent.protocol.ClusterTls;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.settings.RemudaPaths;
import io.remuda.agent.settings.file.LayeredSettingsReader;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.cluster.ArteryTls;
import io.remuda.coordinator.console.Console;
import io.remuda.coordinator.launch.AgentLaunchSettings;
import io.remuda.coordinator.launch.LocalAgents;
import io.remuda.coordinator.launch.RunAgents;
import io.remuda.coordinator.settings.CoordinatorSettings;
import io.remuda.coordinator.store.BackgroundStoreOpening;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.telemetry.host.LinuxHost;
import io.remuda.thread.DaemonThread;
import io.remuda.worker.workload.mnist.data.DataException;
import io.remuda.worker.workload.mnist.data.DataOrigin;
import io.remuda.worker.workload.mnist.data.DataRequest;
import io.remuda.worker.workload.mnist.data.LocatedData;
import io.remuda.worker.workload.mnist.data.MnistDataLocator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/**
 * A run: the processes of its agents and its actor system, started at the same time. Any thread may
 * wait for it, end it in order or kill it.
 */
public final class EnsembleRun {

  /**
   * The parameters of a run.
   *
   * @param settings of the run, already checked
   * @param environment of the caller
   * @param paths state and cache folder
   * @param agents that the run starts, {@code settings.nodes()} of them; null for this machine
   * @param listen address to which agents connect
   * @param simulatedGpus such as {@code h200:8}, or null for real GPUs
   * @param json whether to print the report for programs
   * @param console gets all lines
   */
  public record Request(
      EnsembleSettings settings,
      Map<String, String> environment,
      RemudaPaths paths,
      RunAgents agents,
      InetSocketAddress listen,
      String simulatedGpus,
      boolean json,
      Console console) {}

  private final RunFolder folder;
  private final RunAgents agents;
  private final StoreOpener.Opened store;
  private final ActorSystem<EnsembleRunRootActor.Command> system;
  private final CompletionStage<Integer> exitCode;

  /** The actor system's timers reach no further than 248 days. */
  private static final Duration LONGEST_RUN = Duration.ofDays(200);

  private EnsembleRun(
      RunFolder folder,
      RunAgents agents,
      StoreOpener.Opened store,
      ActorSystem<EnsembleRunRootActor.Command> system,
      CompletionStage<Integer> exitCode) {
    this.folder = folder;
    this.agents = agents;
    this.store = store;
    this.system = system;
    this.exitCode = exitCode;
  }

  /**
   * Starts a run.
   *
   * @throws IOException if the jars are missing, a folder cannot be created or a process not
   *     started
   * @throws GeneralSecurityException if the run's key cannot be created
   */
  public static EnsembleRun start(Request request, Clock clock)
      throws IOException, GeneralSecurityException {
    Distribution distribution = Distribution.locate();
    LayeredSettingsReader sources = LayeredSettingsReader.in(request.paths().state());
    CoordinatorSettings settings = CoordinatorSettings.load(sources);
    String machine = LinuxHost.open(request.environment()).info().hostName();
    greet(request, machine);
    RunAgents agents =
        request.agents() != null
            ? request.agents()
            : new LocalAgents(machine, request.settings().nodes());
    RunFolder folder =
        RunFolder.create(
            request.paths().state(),
            LocalDateTime.now(clock),
            ProcessHandle.current().pid(),
            agents.longestLocalName());
    try {
      return start(request, clock, machine, folder, distribution, agents, sources, settings);
    } catch (IOException | GeneralSecurityException | RuntimeException fault) {
      agents.kill();
      folder.close();
      throw fault;
    }
  }

  private static EnsembleRun start(
      Request request,
      Clock clock,
      String machine,
      RunFolder folder,
      Distribution distribution,
      RunAgents agents,
      LayeredSettingsReader sources,
      CoordinatorSettings settings)
      throws IOException, GeneralSecurityException {
    agents.start(
        new AgentLaunchSettings(
            folder.run(),
            folder.path(),
            folder.access(),
            request.paths().cache(),
            request.simulatedGpus(),
            distribution));
    BackgroundStoreOpening opening =
        BackgroundStoreOpening.begin(folder.path(), clock); // while the actor system starts
    ClusterKey key = ClusterKey.create(folder.run(), clock.instant());
    ActorSystem<EnsembleRunRootActor.Command> system =
        startSystem(ClusterTls.of(key.access(List.of())), sources);
    StoreOpener.Opened store = get(opening);
    EnsembleRunRootActor.Setup setup =
        new EnsembleRunRootActor.Setup(
            request.settings(),
            settings,
            folder,
            System.getProperty("user.name"),
            machine,
            request.json(),
            request.listen().getAddress().getHostAddress(),
            request.listen().getPort(),
            key,
            agents,
            request.console(),
            store,
            clock,
            System::nanoTime);
    CompletionStage<Integer> exitCode =
        AskPattern.ask(
            system,
            replyTo -> new EnsembleRunRootActor.Begin(setup, replyTo),
            LONGEST_RUN,
            system.scheduler());
    if (request.settings().mnistWorkers() > 0) {
      findData(system, request, agents);
    }
    return new EnsembleRun(folder, agents, store, system, exitCode);
  }

  private static StoreOpener.Opened get(BackgroundStoreOpening opening) throws IOException {
    try {
      return opening.get();
    } catch (StoreDamagedException fault) {
      throw new IOException("the state of the run cannot be created", fault);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the run started", stop);
    }
  }

  private static void greet(Request request, String machine) {
    Console console = request.console();
    console.line("Hello from main process " + machine + ".");
    console.line("using dragon runtime");
    console.line("Number of nodes: " + request.settings().allNodes());
    console.line("Number of scipy workers: " + request.settings().scipyWorkers());
    console.line("Number of MNIST workers: " + request.settings().mnistWorkers());
  }

  private static ActorSystem<EnsembleRunRootActor.Command> startSystem(
      ClusterTls tls, LayeredSettingsReader sources) {
    return ActorSystem.create(
        EnsembleRunRootActor.create(), "remuda", ArteryTls.setup(sources.over("coordinator"), tls));
  }

  /** Finds, downloads or draws the training data while the nodes start. */
  private static void findData(
      ActorSystem<EnsembleRunRootActor.Command> system, Request request, RunAgents agents) {
    DaemonThread.start(
        "training-data",
        () -> system.tell(new EnsembleRunRootActor.ToRun(locate(request, agents))));
  }

  private static Ensemble.Command locate(Request request, RunAgents agents) {
    EnsembleSettings settings = request.settings();
    if (settings.dataFolder() != null) {
      return new Ensemble.DataReady(
          Optional.of(new Ensemble.Data(settings.dataFolder(), settings.verifyData())));
    }
    try {
      LocatedData located =
          MnistDataLocator.locate(dataRequest(settings, request.paths()), request.console()::note);
      boolean sameFiles = settings.joiningNodes() == 0 && agents.shareFiles();
      return new Ensemble.DataReady(
          sameFiles // otherwise each node looks in its own cache
              ? Optional.of(
                  new Ensemble.Data(located.folder(), located.origin() != DataOrigin.DRAWN))
              : Optional.empty());
    } catch (DataException fault) {
      return new Ensemble.NoData(fault.getMessage());
    } catch (RuntimeException | OutOfMemoryError fault) {
      return new Ensemble.NoData("cannot prepare the training data: " + fault);
    }
  }

  /** Returns where to look for the training data of a run. */
  public static DataRequest dataRequest(EnsembleSettings settings, RemudaPaths paths) {
    return new DataRequest(
        settings.dataFolder(), paths.cache(), settings.verifyData(), settings.seed());
  }

  /** Waits until the run and its agents have ended and returns the exit code. */
  public int await() throws InterruptedException, IOException {
    try {
      int code = exitCode.toCompletableFuture().get();
      store.journal().close();
      folder.close();
      return code;
    } catch (ExecutionException fault) {
      kill();
      throw new IOException("the run has failed", fault.getCause());
    }
  }

  /** Returns the name of the run. */
  public String name() {
    return folder.run();
  }

  /** Returns the file with the events of its nodes and tasks. */
  public Path events() {
    return folder.events();
  }

  /** Ends the run in order; {@code code} becomes its exit code. */
  public void interrupt(String reason, int code) {
    system.tell(new EnsembleRunRootActor.ToRun(new Ensemble.Interrupt(reason, code)));
  }

  /** Kills all processes of the nodes that this run has started. */
  public void kill() {
    agents.kill();
    folder.abandon();
  }
}
