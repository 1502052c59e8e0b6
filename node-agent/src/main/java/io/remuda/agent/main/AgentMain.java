package io.remuda.agent.main;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.remuda.agent.actor.NodeAgent;
import io.remuda.agent.actor.NodeAgentCommand;
import io.remuda.agent.attempt.FileWork;
import io.remuda.agent.commandline.CalledProgram;
import io.remuda.agent.commandline.Caller;
import io.remuda.agent.commandline.OwnProcess;
import io.remuda.agent.keeper.proc.PidScope;
import io.remuda.agent.keeper.program.OwnSession;
import io.remuda.agent.protocol.MachineFacts;
import io.remuda.agent.protocol.NodeAddressAndPorts;
import io.remuda.agent.settings.AgentLock;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.AgentSettings.EndsWith;
import io.remuda.agent.settings.AskToEnd;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.settings.FolderOwnershipCheck;
import io.remuda.agent.settings.GangPortRange;
import io.remuda.agent.settings.GpuIds;
import io.remuda.agent.settings.LimitedHostSource;
import io.remuda.agent.settings.NativeLibraryUnpacker;
import io.remuda.agent.settings.NotUtf8Exception;
import io.remuda.agent.settings.RemudaPaths;
import io.remuda.agent.settings.TrainingCallers;
import io.remuda.agent.settings.WholeGpuRules;
import io.remuda.agent.settings.file.LayeredSettingsReader;
import io.remuda.telemetry.host.LinuxHost;
import io.remuda.telemetry.machine.DeviceSources;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.source.HostSource;
import io.remuda.telemetry.source.TelemetrySampler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.typed.ActorSystem;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import sun.misc.Signal;

/** {@code java -jar node-agent.jar --join FILE}: one node of a cluster. */
@Command(
    name = "node-agent",
    description = "Lends this machine's CPUs and GPUs to the jobs of a Remuda coordinator.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class AgentMain implements Callable<Integer>, CalledProgram {

  /** Examples for the help of {@code remuda agent}. */
  public static final String EXAMPLES = "/agent-examples.txt";

  static final int REFUSED = 1;

  /** What the user typed to start this program, set by the script {@code remuda}. */
  static final String PROGRAM = System.getProperty("remuda.program", "node-agent");

  @Option(
      names = "--join",
      paramLabel = "FILE|HOST:PORT",
      description =
          "access file of the cluster, written by the coordinator; or the coordinator's address,"
              + " used with the access file in $$REMUDA_HOME (default: that file)")
  private String join;

  @Option(names = "--name", paramLabel = "NODE", description = "name of this node (its host name)")
  private String name;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "folder for this node's tasks and logs (~/.remuda/nodes/NAME-CLUSTER)")
  private Path folder;

  @Option(names = "--cache", paramLabel = "DIR", description = "native libraries and data")
  private Path cache;

  @Option(names = "--run", hidden = true, description = "the run that this agent belongs to")
  private String run;

  @Option(
      names = "--launched-by",
      hidden = true,
      paramLabel = "PID",
      description = "the coordinator that started this agent, to end with it")
  private Long coordinator;

  @Option(
      names = "--slurm-step",
      hidden = true,
      description =
          "started by a run's srun: has Slurm's node name and a local folder, ends with the run")
  private boolean slurmStep;

  @Option(
      names = "--nodes-folder",
      hidden = true,
      paramLabel = "DIR",
      description =
          "with --slurm-step: started by a server whose nodes have their folders here; a signal is"
              + " told to the server, which orders the end")
  private Path nodesFolder;

  /**
   * Set once the actor system runs. Before that the shutdown hook removes the folder of a Slurm
   * step; after that {@link AgentShutdown} does.
   */
  private volatile boolean running;

  private AgentStandIns standIns = AgentStandIns.NONE;

  @Option(
      names = "--cpus",
      paramLabel = "N",
      description = "lend at most N cores (all that this process may use)")
  private Double cpus;

  @Option(
      names = "--mem",
      paramLabel = "SIZE",
      converter = ByteSizeConverter.class,
      description = "lend at most SIZE of memory, such as 16GiB (all that this process may use)")
  private Long memory;

  @Option(
      names = "--on-overuse",
      paramLabel = "stop|warn",
      description =
          "reaction to a task that uses more of a GPU than promised when others need the memory"
              + " (stop)")
  private String onOveruse;

  @Option(
      names = "--gpu-ids",
      paramLabel = "index|uuid",
      description = "by what programs are told their GPUs (index, where numbers are sure)")
  private String gpuIds;

  @Option(
      names = "--label",
      paramLabel = "KEY=VALUE",
      description = "a label that jobs can require; may be repeated")
  private Map<String, String> labels = new TreeMap<>();

  @Option(
      names = "--resource",
      paramLabel = "NAME=N",
      description =
          "N of a counted resource that this node has, such as scratch=2, for jobs with"
              + " --resource; may be repeated")
  private List<String> resources = new ArrayList<>();

  @Option(
      names = "--address",
      paramLabel = "HOST",
      description =
          "address at which other nodes reach this one, told to gangs (the one by which this node"
              + " reaches the coordinator)")
  private String address;

  @Option(
      names = "--simulate-gpus",
      paramLabel = "SPEC",
      description = "pretend to have GPUs, such as h200:8, for demonstrations")
  private String simulated;

  /** The command that has these options as its own; null if this is the program. */
  @Spec(Spec.Target.MIXEE)
  private CommandSpec mixee;

  private final Caller caller;

  /** Creates the options of a command, whose caller then counts, or the program of this process. */
  public AgentMain() {
    this(new OwnProcess());
  }

  AgentMain(Caller caller) {
    this.caller = caller;
  }

  public static void main(String[] arguments) {
    Caller caller = new OwnProcess();
    caller.process().unblockOutput(); // the log may be on a disk that hangs, and must not block
    try {
      System.exit(AgentProgram.run(OwnProcess.arguments(arguments), caller));
    } catch (NotUtf8Exception refused) {
      caller.err().println(PROGRAM + ": " + PrintableText.of(refused.getMessage()));
      System.exit(CommandLine.ExitCode.USAGE);
    }
  }

  /** Returns who calls the command: this program, or the one that has its options. */
  @Override
  public Caller caller() {
    return mixee == null ? caller : Caller.of(mixee);
  }

  @Override
  public Integer call() throws Exception {
    Path code = cache != null ? caller().resolve(cache) : caller().paths().cache();
    FolderOwnershipCheck.requirePrivate(code, "--cache");
    NativeLibraryUnpacker.useJna(code);
    if (coordinator != null) {
      OwnSession.enter(); // Ctrl-C at the terminal is for the coordinator alone
      ParentProcessWatch.start(coordinator, () -> System.exit(REFUSED)); // orderly, as by a signal
    }
    Checked checked = check();
    Optional<SlurmStep> step = slurmStep();
    RunningAgent agent = start(checked, step);
    running = true;
    if (!caller().isOwnProcess()) {
      agent.awaitEnd();
      return agent.isRefused() ? REFUSED : 0;
    }
    AgentShutdown end = new AgentShutdown(agent, step);
    if (nodesFolder != null) {
      end.leaveToServer();
    }
    end.await();
    return agent.isRefused() ? REFUSED : 0;
  }

  /**
   * Starts an agent in this process; its keeper is a process of its own all the same, unless there
   * is a stand-in for it. For programs with a server and its agents in one JVM.
   *
   * @param options as on a command line
   * @param caller whose environment its keeper inherits
   * @throws IOException if another agent uses the folder, or a folder cannot be used
   * @throws CommandLine.ParameterException for a wrong option
   */
  public static RunningAgent start(List<String> options, Caller caller, AgentStandIns standIns)
      throws IOException {
    AgentMain agent = new AgentMain(caller);
    agent.standIns = standIns;
    new CommandLine(agent).parseArgs(options.toArray(String[]::new));
    return agent.start(agent.check(), Optional.empty());
  }

  /** The options, checked, with the agent's own settings, and the machine. */
  private record Checked(
      Config config,
      Config own,
      Map<String, Long> counted,
      NodeAddressAndPorts network,
      HostSource whole,
      HostSource host) {}

  private Checked check() throws IOException {
    NodeOptionsCheck.names(name, labels);
    Map<String, Long> counted = NodeOptionsCheck.counted(resources);
    Config config = config();
    Config own = config.getConfig(AgentConfigCheck.PATH);
    AgentConfigCheck.isRead(own); // with the options: fail now, not later
    NodeAddressAndPorts network = NodeOptionsCheck.network(address, GangPortRange.from(own));
    HostSource whole = LinuxHost.open(caller().readEnvironment());
    HostSource host = LimitedHostSource.of(whole, cpus, memory);
    LimitedHostSource.excess(whole.info(), cpus, memory)
        .forEach(excess -> caller().err().println(PROGRAM + ": " + excess));
    return new Checked(config, own, counted, network, whole, host);
  }

  private RunningAgent start(Checked checked, Optional<SlurmStep> step) throws IOException {
    AgentSettings settings = settings(nodeName(step, checked.host()), step, checked.own());
    AgentLock lock = AgentLock.require(settings.folder());
    try {
      NodeFolderName.claim(settings.folder(), settings.node());
      return start(checked, settings, lock);
    } catch (IOException | RuntimeException fault) {
      lock.close(); // the program that this agent is in may go on
      throw fault;
    }
  }

  private RunningAgent start(Checked checked, AgentSettings settings, AgentLock lock)
      throws IOException {
    HostSource host = checked.host();
    Distribution distribution = Distribution.locate();
    DeviceSource devices = GpuIds.from(checked.own()).of(openDevices(settings));
    TelemetrySampler sampler =
        TelemetrySampler.start(devices, host, settings.timing().driverDeadline(), settings.node());
    AtomicBoolean refused = new AtomicBoolean();
    ActorSystem<NodeAgentCommand> system =
        ActorSystem.create(
            NodeAgent.create(
                new NodeAgent.Parts(
                    settings,
                    distribution,
                    standIns.keepers().of(settings, distribution),
                    sampler,
                    host.info(),
                    MachineFacts.of(checked.whole().info(), PidScope.here())
                        .with(WholeGpuRules.from(checked.own())),
                    devices.description(),
                    labels,
                    checked.counted(),
                    checked.network(),
                    FileWork.onThread("files", System::nanoTime),
                    standIns.nanoClock(),
                    refused)),
            "node",
            checked.config());
    return new RunningAgent(system, settings, lock, refused);
  }

  private Config config() {
    Map<String, String> given = new TreeMap<>();
    given.put("remuda.agent.on-overuse", onOveruse);
    given.put("remuda.agent.gpu-ids", gpuIds);
    given.values().removeIf(Objects::isNull);
    LayeredSettingsReader sources = LayeredSettingsReader.in(caller().paths().state());
    AgentConfigCheck.check(sources);
    Config chosen = ConfigFactory.parseMap(given);
    return standIns.config().withFallback(chosen).withFallback(sources.over("agent"));
  }

  private Optional<SlurmStep> slurmStep() throws IOException {
    if (!slurmStep) {
      return Optional.empty();
    }
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    SlurmStep step =
        nodesFolder != null
            ? SlurmStep.ofServer(caller().readEnvironment(), caller().resolve(nodesFolder))
            : SlurmStep.of(
                caller().readEnvironment(), temporary, System.getProperty("user.name"), run);
    step.takeOver();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  if (!running) {
                    step.clean(); // it was asked to end, or failed, during its start
                  }
                },
                "clean"));
    Signal.handle(new Signal("USR1"), signal -> System.exit(REFUSED)); // Slurm's --signal; orderly
    return Optional.of(step);
  }

  private String nodeName(Optional<SlurmStep> step, HostSource host) {
    return name != null ? name : step.map(SlurmStep::node).orElse(host.info().hostName());
  }

  private AgentSettings settings(String node, Optional<SlurmStep> step, Config agent)
      throws IOException {
    RemudaPaths paths = caller().paths();
    JoinOption access = JoinOption.of(join, caller());
    String cluster = run != null ? run : access.read().cluster();
    Path usual = paths.state().resolve("nodes").resolve(node + "-" + cluster);
    Path own =
        folder != null ? caller().resolve(folder) : step.map(SlurmStep::folder).orElse(usual);
    Path kept = cache != null ? caller().resolve(cache) : paths.cache();
    FolderOwnershipCheck.requirePrivate(own, "--folder");
    FolderOwnershipCheck.requirePrivate(kept, "--cache");
    FolderOwnershipCheck.create(own);
    FolderOwnershipCheck.create(kept);
    return new AgentSettings(
        node,
        cluster,
        access.fileFor(own.toAbsolutePath()),
        own.toAbsolutePath(),
        kept.toAbsolutePath(),
        coordinator != null ? EndsWith.PARENT : slurmStep ? EndsWith.RUN : EndsWith.NONE,
        AgentSettings.Timing.from(agent),
        AgentSettings.threadVariables(agent),
        AgentSettings.shellLimits(agent),
        AskToEnd.from(agent),
        TrainingCallers.from(agent),
        AgentSettings.environment(
            agent, caller().isOwnProcess() ? System.getenv() : caller().readEnvironment()));
  }

  /** Opens the devices; simulated ones exist only for this run and node. */
  private DeviceSource openDevices(AgentSettings settings) {
    if (simulated == null) {
      return DeviceSources.open(caller().readEnvironment(), settings.timing().driverStart());
    }
    DeviceSources.simulationNote(caller().readEnvironment())
        .ifPresent(note -> caller().err().println(PROGRAM + ": " + note));
    return DeviceSources.simulated(simulated, settings.keyPrefix());
  }
}
