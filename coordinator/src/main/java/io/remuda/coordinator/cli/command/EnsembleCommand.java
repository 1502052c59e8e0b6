package io.remuda.coordinator.cli.command;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.remuda.agent.protocol.Build;
import io.remuda.agent.settings.Distribution;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.console.Console;
import io.remuda.coordinator.ensemble.Ensemble;
import io.remuda.coordinator.ensemble.EnsembleGuardian;
import io.remuda.coordinator.ensemble.EnsembleSettings;
import io.remuda.coordinator.ensemble.RunFolder;
import io.remuda.coordinator.launch.AgentLaunch;
import io.remuda.coordinator.settings.CoordinatorSettings;
import io.remuda.coordinator.settings.Places;
import io.remuda.telemetry.host.LinuxHost;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.source.DeviceSources;
import io.remuda.worker.workload.mnist.data.DataException;
import io.remuda.worker.workload.mnist.data.DataRequest;
import io.remuda.worker.workload.mnist.data.MnistData;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorSystem;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Runs the ensemble: checks everything first, then starts the agents of this machine and the actor
 * system side by side.
 */
@Command(
    name = "remuda",
    description = "SciPy and MNIST test with telemetry",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class EnsembleCommand implements Callable<Integer> {

  private static final int FAILURE = 1;

  @Mixin private EnsembleOptions options;

  /** Parses, runs and returns the exit code: 0, 1 for a failure, 2 for bad usage. */
  public static int execute(String[] arguments) {
    CommandLine line =
        new CommandLine(new EnsembleCommand())
            .setParameterExceptionHandler(EnsembleCommand::usageError)
            .setExecutionExceptionHandler(EnsembleCommand::failure);
    line.getCommandSpec().version("remuda " + Build.VERSION);
    return line.execute(arguments);
  }

  private static int usageError(CommandLine.ParameterException fault, String[] arguments) {
    System.err.println("remuda: " + fault.getMessage() + " (see --help)");
    return CommandLine.ExitCode.USAGE;
  }

  private static int failure(Exception fault, CommandLine line, CommandLine.ParseResult parsed) {
    String message = fault.getMessage();
    System.err.println("remuda: " + (message == null ? fault.toString() : message));
    return FAILURE;
  }

  @Override
  public Integer call() throws Exception {
    if (options.verbose) {
      System.setProperty("REMUDA_LOG_LEVEL", "DEBUG");
    }
    HostInfo host = LinuxHost.open(System.getenv()).info();
    Optional<String> fault = EnsembleChecks.fault(options, host);
    if (fault.isPresent()) {
      System.err.println("remuda: " + fault.get());
      return CommandLine.ExitCode.USAGE;
    }
    if (options.rehearse) {
      options.rehearse();
    }
    if (options.simulateGpus != null) {
      checkSimulated();
    }
    InetSocketAddress listen = Listen.parse(options.listen);
    Places places = Places.of(System.getenv(), Path.of(System.getProperty("user.home")));
    places.check();
    EnsembleSettings settings = options.settings(givenData());
    checkGivenData(settings, places);
    checkPort(listen);
    return run(host, settings, places, listen);
  }

  private void checkSimulated() throws IOException {
    try {
      DeviceSources.simulated(options.simulateGpus, "check").close();
    } catch (IllegalArgumentException fault) {
      throw new IOException("--simulate-gpus: " + fault.getMessage(), fault);
    }
  }

  private Path givenData() {
    if (options.dataDir != null) {
      return options.dataDir.toAbsolutePath();
    }
    String variable = System.getenv("MNIST_DIR");
    return variable == null || variable.isBlank() ? null : Path.of(variable).toAbsolutePath();
  }

  private static void checkGivenData(EnsembleSettings settings, Places places)
      throws IOException, DataException {
    if (settings.dataFolder() != null) {
      MnistData.locate(request(settings, places), says -> {});
    }
  }

  private static DataRequest request(EnsembleSettings settings, Places places) {
    return new DataRequest(
        settings.dataFolder(), places.cache(), settings.verifyData(), settings.seed());
  }

  private static void checkPort(InetSocketAddress listen) throws IOException {
    if (listen.isUnresolved()) {
      throw new IOException("--listen: no such host: " + listen.getHostString());
    }
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(listen);
    } catch (IOException taken) {
      throw new IOException(
          "--listen: cannot listen on "
              + listen.getAddress().getHostAddress()
              + ":"
              + listen.getPort()
              + " ("
              + taken.getMessage()
              + "): give another port, or none for any free one",
          taken);
    }
  }

  private int run(HostInfo host, EnsembleSettings settings, Places places, InetSocketAddress listen)
      throws Exception {
    Console console = console();
    Distribution distribution = Distribution.locate();
    console.line("Hello from main process " + host.hostName() + ".");
    console.line("using dragon runtime");
    console.line("Number of nodes: " + settings.allNodes());
    console.line("Number of scipy workers: " + settings.scipyWorkers());
    console.line("Number of MNIST workers: " + settings.mnistWorkers());
    RunFolder folder =
        RunFolder.create(
            places.state(),
            LocalDateTime.now(ZoneId.systemDefault()),
            ProcessHandle.current().pid());
    Map<AgentLaunch, Process> agents = startAgents(host, settings, places, folder, distribution);
    CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    EnsembleGuardian.Setup setup =
        new EnsembleGuardian.Setup(
            settings,
            CoordinatorSettings.from(
                ConfigFactory.load("coordinator").getConfig("remuda.coordinator")),
            folder,
            System.getProperty("user.name"),
            host.hostName(),
            options.json,
            listen.getAddress().getHostAddress(),
            listen.getPort(),
            ClusterKey.create(folder.run(), Instant.now()),
            agents,
            console,
            System::nanoTime,
            exitCode);
    ActorSystem<EnsembleGuardian.Command> system = start(setup);
    new Signals(system, agents).install();
    if (settings.mnistWorkers() > 0) {
      findData(system, settings, places, console);
    }
    int code = exitCode.get();
    folder.close();
    console.close();
    return code;
  }

  private Console console() {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    return Console.of(options.json ? System.err : out, System.err, out);
  }

  private Map<AgentLaunch, Process> startAgents(
      HostInfo host,
      EnsembleSettings settings,
      Places places,
      RunFolder folder,
      Distribution distribution)
      throws IOException {
    Map<AgentLaunch, Process> started = new LinkedHashMap<>();
    for (int number = 1; number <= settings.nodes(); number++) {
      String name = settings.nodes() == 1 ? host.hostName() : host.hostName() + "-" + number;
      AgentLaunch launch =
          new AgentLaunch(
              name,
              folder.run(),
              folder.access(),
              folder.node(name),
              places.cache(),
              options.simulateGpus,
              distribution);
      started.put(launch, launch.start());
    }
    return started;
  }

  private static ActorSystem<EnsembleGuardian.Command> start(EnsembleGuardian.Setup setup)
      throws GeneralSecurityException, IOException {
    String password = UUID.randomUUID().toString();
    Path store = setup.folder().keyStore();
    setup.key().writeStore(store, password.toCharArray());
    String ssl = "pekko.remote.artery.ssl.config-ssl-engine.";
    Config config =
        ConfigFactory.parseMap(
                Map.of(
                    ssl + "key-store", store.toString(),
                    ssl + "trust-store", store.toString(),
                    ssl + "key-store-password", password,
                    ssl + "key-password", password,
                    ssl + "trust-store-password", password))
            .withFallback(ConfigFactory.load("coordinator"));
    return ActorSystem.create(EnsembleGuardian.create(setup), "remuda", config);
  }

  /** Finds, downloads or draws the training data while the nodes come up. */
  private static void findData(
      ActorSystem<EnsembleGuardian.Command> system,
      EnsembleSettings settings,
      Places places,
      Console console) {
    Thread finder =
        new Thread(
            () -> system.tell(new EnsembleGuardian.ToRun(locate(settings, places, console))),
            "training-data");
    finder.setDaemon(true);
    finder.start();
  }

  private static Ensemble.Command locate(
      EnsembleSettings settings, Places places, Console console) {
    if (settings.dataFolder() != null) {
      return new Ensemble.DataReady(Optional.of(settings.dataFolder().toString()));
    }
    try {
      MnistData.locate(request(settings, places), console::note);
      return new Ensemble.DataReady(Optional.empty()); // each node finds it in its own cache
    } catch (DataException fault) {
      return new Ensemble.NoData(String.valueOf(fault.getMessage()));
    }
  }
}
