package io.remuda.coordinator.cli.server;

import io.remuda.agent.commandline.CalledProgram;
import io.remuda.agent.commandline.Caller;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.settings.LimitedHostSource;
import io.remuda.agent.settings.NativeLibraryUnpacker;
import io.remuda.agent.settings.RemudaPaths;
import io.remuda.coordinator.cli.output.PrintableWriter;
import io.remuda.coordinator.cluster.LocalMemberConfig;
import io.remuda.coordinator.service.AgentProcessLauncher;
import io.remuda.coordinator.service.FolderInUseException;
import io.remuda.coordinator.service.RunningJobServer;
import io.remuda.coordinator.service.ServiceStandIns;
import io.remuda.coordinator.store.DatabaseBackend;
import io.remuda.coordinator.store.SqliteLibrary;
import io.remuda.coordinator.store.postgres.PostgresDatabase;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.telemetry.host.LinuxHost;
import io.remuda.telemetry.machine.DeviceSources;
import io.remuda.telemetry.source.HostSource;
import io.remuda.worker.job.SizeAndTimeParser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a job service in the foreground, with an agent for this machine. */
@Command(
    name = "serve",
    description =
        "Runs a durable job service: accepts jobs and runs them on this machine and on machines"
            + " whose agents join. Ctrl-C or SIGTERM ends the server; its tasks continue. In a Slurm"
            + " job it runs jobs on all nodes of the allocation and ends before that does; what then"
            + " runs waits for the next server.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:ended normally",
      "1:cannot start, or has failed",
      "2:bad usage",
      "4:another server has the state folder"
    },
    sortOptions = false)
public final class ServeCommand implements Callable<Integer> {

  /** Exit code if another server uses the state folder. */
  static final int IN_USE = 4;

  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "address for submissions (default: loopback, with the previous port)")
  private String listen;

  @Option(
      names = "--cpus",
      paramLabel = "N",
      description = "CPU cores of this machine that jobs may use (default: all)")
  private Double cpus;

  @Option(
      names = "--mem",
      paramLabel = "SIZE",
      description = "memory of this machine that jobs may use (default: all)")
  private String memory;

  @Mixin private OwnNodeOptions node = new OwnNodeOptions();

  @Option(names = "--no-agent", description = "run no jobs on this machine")
  private boolean noAgent;

  /** Without effect: TLS is the default; earlier builds had none on loopback. */
  @Option(names = "--tls", hidden = true)
  private boolean tls;

  @Option(
      names = "--insecure",
      description =
          "no TLS for submissions: tokens are sent in clear text to whatever listens on the port,"
              + " so any other user of this machine or the network can run commands as you; agents"
              + " always use TLS")
  private boolean insecure;

  @Option(
      names = "--on-overuse",
      paramLabel = "stop|warn",
      description =
          "what to do with a task on this machine that uses more GPU memory than is reserved for"
              + " it, once other tasks lack it (default: stop)")
  private String onOveruse;

  @Option(
      names = "--simulate-gpus",
      paramLabel = "SPEC",
      description = "pretend to have GPUs, such as h200:8, for demonstrations")
  private String simulated;

  @Option(
      names = "--store",
      paramLabel = "URL",
      description =
          "keep the state in PostgreSQL, at jdbc:postgresql://HOST/NAME?user=USER (default: a file"
              + " in REMUDA_HOME); the password comes from ~/.pgpass")
  private String store;

  @Option(
      names = "--cluster",
      paramLabel = "FILE",
      description =
          "serve as one of the coordinators of a cluster, which remuda cluster init describes in"
              + " FILE: another one leads if this one dies")
  private Path clusterFile;

  @Option(
      names = "--member",
      paramLabel = "NAME",
      description =
          "which of the cluster's members this is (default: the one with an address of this"
              + " machine)")
  private String memberName;

  @Option(names = "--idle-exit", paramLabel = "D", hidden = true)
  private String idleExit;

  @Mixin private SlurmAllocationOptions inJob;

  @Mixin private BackgroundOptions background;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Caller caller = Caller.of(spec);
    caller.process().logFrom("WARN");
    RunningJobServer.Request request = request(caller);
    if (background.isAsked()) {
      boolean hasNode = !noAgent && request.member().isEmpty() && request.allocation().isEmpty();
      return DetachedServerLauncher.start(
          caller, Optional.of(request.machine()).filter(name -> hasNode), spec.commandLine());
    }
    NativeLibraryUnpacker.useJna(request.cache());
    Optional<Duration> idle = idle();
    if (idle.isPresent()) {
      // Ctrl-C at the command that has started this server must not end it
      BackgroundOptions.leaveSession(caller);
    } else {
      StateFolderTakeover.await(request.home(), spec.commandLine().getErr());
    }
    SqliteLibrary.useFrom(request.cache());
    caller.process().unblockOutput(); // a log on a stalled disk must not block the server
    JobServiceRunner served =
        new JobServiceRunner(request, idle, background.isDetached(), spec.commandLine());
    caller.process().onSignals(List.of("INT", "TERM", "HUP"), (name, number) -> served.end());
    if (background.isDetached()) {
      BackgroundOptions.leaveTerminal(caller);
    }
    try {
      return served.run();
    } catch (FolderInUseException taken) {
      spec.commandLine().getErr().println("remuda: " + taken.getMessage());
      return IN_USE;
    } catch (StoreDamagedException damaged) {
      throw new IOException(damaged.getMessage(), damaged);
    }
  }

  /**
   * Returns what a server of these options is started with, which a program may change; for
   * programs with a server and its agents in one JVM. The native libraries are not loaded yet.
   *
   * @param options without the word {@code serve}
   * @throws ParameterException if an option is wrong
   * @throws IOException if a folder or a file of the options cannot be used
   */
  public static RunningJobServer.Request request(List<String> options, Caller caller)
      throws IOException {
    ServeCommand serve = new ServeCommand();
    CalledProgram program = () -> caller;
    List<String> words = new ArrayList<>(List.of("serve"));
    words.addAll(options);
    new CommandLine(CommandSpec.wrapWithoutInspection(program))
        .addSubcommand("serve", serve)
        .setErr(PrintableWriter.over(caller.err(), caller.charset()))
        .parseArgs(words.toArray(String[]::new));
    return serve.request(caller);
  }

  private RunningJobServer.Request request(Caller caller) throws IOException {
    HostSource here = LinuxHost.open(caller.readEnvironment());
    List<String> agentOptions = agentOptions(here);
    String nodeName = node.name(here.info().hostName());
    node.share();
    warnOfSurprises(here);
    RemudaPaths paths = caller.paths();
    Optional<LocalMemberConfig> member = member();
    Optional<RunningJobServer.Allocation> allocation =
        inJob.allocation(caller.readEnvironment(), whyLocal(), agentOptions, paths.state());
    if (allocation.isPresent()) {
      node.refuseName();
      inJob.refuseShort(allocation.get());
    }
    InetSocketAddress address = address(allocation);
    Optional<DatabaseBackend> database =
        member.isPresent() ? Optional.of(shared(member.get())) : database();
    idle(); // refused now, not later
    SettingsCheck.of(paths.state());
    paths.check();
    return new RunningJobServer.Request(
        paths.state(),
        paths.cache(),
        address,
        isTls(),
        member.map(own -> own.secret().get().user()).orElse(System.getProperty("user.name")),
        nodeName,
        noAgent ? Optional.empty() : Optional.of(agentOptions),
        new AgentProcessLauncher(Distribution.locate(), caller),
        database,
        member,
        allocation,
        ServiceStandIns.NONE);
  }

  private Optional<Duration> idle() {
    return Optional.ofNullable(idleExit).map(SizeAndTimeParser::time);
  }

  private Optional<LocalMemberConfig> member() throws IOException {
    if (memberName != null && clusterFile == null) {
      throw new ParameterException(spec.commandLine(), "--member goes with --cluster");
    }
    if (clusterFile == null) {
      return Optional.empty();
    }
    List<String> others = new ArrayList<>();
    if (listen != null) {
      others.add("--listen");
    }
    if (store != null) {
      others.add("--store");
    }
    if (insecure) {
      others.add("--insecure");
    }
    if (idleExit != null) {
      others.add("--idle-exit");
    }
    if (!others.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--cluster and "
              + String.join(", ", others)
              + " exclude each other: the cluster's file says where its members are and their"
              + " state is, and they always use TLS");
    }
    return Optional.of(LocalMemberConfig.read(Caller.of(spec).absolute(clusterFile), memberName));
  }

  /** Returns why the server starts no agents by srun, or null if it may. */
  private String whyLocal() {
    if (noAgent) {
      return "--no-agent was given";
    }
    if (clusterFile != null) {
      return "--cluster was given";
    }
    return idleExit == null ? null : "it ends when it is idle";
  }

  private InetSocketAddress address(Optional<RunningJobServer.Allocation> allocation)
      throws IOException {
    if (listen == null) {
      InetAddress here =
          allocation.isPresent()
              ? allocation.get().agents().addressTowardsNodes()
              : InetAddress.getByAddress(LOOPBACK);
      return new InetSocketAddress(here, 0);
    }
    InetSocketAddress address;
    try {
      address = ListenAddress.parse(listen);
    } catch (IllegalArgumentException fault) {
      throw new ParameterException(spec.commandLine(), fault.getMessage());
    }
    if (address.isUnresolved()) {
      throw new ParameterException(
          spec.commandLine(), "--listen: no such host: " + address.getHostString());
    }
    return address;
  }

  private Optional<DatabaseBackend> database() {
    if (store != null && PostgresDatabase.hasPassword(store)) {
      throw new ParameterException(
          spec.commandLine(),
          "--store: other users see the arguments of programs: put the password into ~/.pgpass");
    }
    try {
      return Optional.ofNullable(store).map(PostgresDatabase::new);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), "--store: " + wrong.getMessage());
    }
  }

  private static DatabaseBackend shared(LocalMemberConfig member) throws IOException {
    try {
      return new PostgresDatabase(member.cluster().store(), PostgresDatabase.Writers.ONE_AT_A_TIME);
    } catch (IllegalArgumentException wrong) {
      throw new IOException("the cluster's file: store: " + wrong.getMessage(), wrong);
    }
  }

  /** Returns whether submissions use TLS; warns the user if not. */
  private boolean isTls() {
    if (tls && insecure) {
      throw new ParameterException(spec.commandLine(), "--tls and --insecure exclude each other");
    }
    if (insecure) {
      spec.commandLine()
          .getErr()
          .println(
              "remuda: --insecure: tokens and jobs go in clear text to whatever listens on the"
                  + " port; another user who takes the port while no server runs, or who listens"
                  + " in, can run commands as you");
      spec.commandLine().getErr().flush();
    }
    return !insecure;
  }

  /** Returns the options of the local agent, checked here with the parsers that the agent uses. */
  private List<String> agentOptions(HostSource here) {
    List<String> options = new ArrayList<>();
    options.addAll(node.ofAgent());
    if (cpus != null) {
      check("", () -> LimitedHostSource.of(here, cpus, null));
      options.addAll(List.of("--cpus", Double.toString(cpus)));
    }
    if (memory != null) {
      check("--mem: ", () -> SizeAndTimeParser.bytes(memory));
      options.addAll(List.of("--mem", SizeAndTimeParser.bytes(memory) / (1 << 20) + "MiB"));
    }
    if (onOveruse != null) {
      if (!onOveruse.matches("stop|warn")) {
        throw new ParameterException(
            spec.commandLine(), "--on-overuse must be stop or warn, got '" + onOveruse + "'");
      }
      options.addAll(List.of("--on-overuse", onOveruse));
    }
    if (simulated != null) {
      check("--simulate-gpus: ", () -> DeviceSources.simulated(simulated, "check").close());
      options.addAll(List.of("--simulate-gpus", simulated));
    }
    return options;
  }

  private void warnOfSurprises(HostSource here) {
    Long bytes = memory == null ? null : Long.valueOf(SizeAndTimeParser.bytes(memory));
    Map<String, String> environment = Caller.of(spec).readEnvironment();
    SlurmAllocationOptions.pbsNote(environment)
        .filter(note -> !noAgent)
        .ifPresent(note -> spec.commandLine().getErr().println("remuda: " + note));
    LimitedHostSource.excess(here.info(), cpus, bytes)
        .forEach(excess -> spec.commandLine().getErr().println("remuda: " + excess));
    if (simulated != null) {
      DeviceSources.simulationNote(environment)
          .ifPresent(note -> spec.commandLine().getErr().println("remuda: " + note));
    }
  }

  private void check(String prefix, Runnable reading) {
    try {
      reading.run();
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), prefix + wrong.getMessage());
    }
  }
}
