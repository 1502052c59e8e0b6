package io.remuda.coordinator.cli.command;

import io.remuda.agent.protocol.BuildId;
import io.remuda.agent.settings.FaultText;
import io.remuda.agent.settings.Invocation;
import io.remuda.agent.settings.NotUtf8;
import io.remuda.agent.settings.RemudaPaths;
import io.remuda.coordinator.cli.output.PrintableWriter;
import io.remuda.coordinator.console.Console;
import io.remuda.coordinator.ensemble.EnsembleRun;
import io.remuda.coordinator.ensemble.EnsembleSettings;
import io.remuda.coordinator.settings.FreeAddress;
import io.remuda.coordinator.slurm.SlurmAgents;
import io.remuda.coordinator.slurm.SlurmAllocation;
import io.remuda.coordinator.slurm.SrunArguments;
import io.remuda.telemetry.host.LinuxHost;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.telemetry.source.DeviceSources;
import io.remuda.worker.workload.mnist.data.DataException;
import io.remuda.worker.workload.mnist.data.MnistData;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Checks all input, then runs the ensemble: bad input is refused before anything starts. */
@Command(
    name = "remuda",
    description = {
      "SciPy and MNIST test with telemetry",
      "With a command: uses a durable job service, or shows and checks this machine."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success",
      "1:something failed, or this machine lacks something",
      "2:bad usage",
      "130:Ctrl-C",
      "141:the output was closed",
      "143:SIGTERM"
    },
    sortOptions = false)
public final class EnsembleCommand implements Callable<Integer> {

  private static final int FAILURE = 1;

  /** The exit code that a shell reports after SIGPIPE. */
  private static final int BROKEN_PIPE = 141;

  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  /**
   * Whether to check the options only. {@code bin/remuda} sets it before it records class archives,
   * so that a mistake is reported at once.
   */
  private static final boolean ONLY_CHECK = Boolean.getBoolean("remuda.only-check");

  @Spec private CommandSpec spec;
  @Mixin private EnsembleOptions options;

  /** Parses and runs a command line; returns 0, 1 for a failure, 2 for bad usage. */
  public static int execute(String[] arguments) {
    String[] typed;
    try {
      typed = Invocation.arguments(arguments);
    } catch (NotUtf8 refused) {
      System.err.println("remuda: " + PrintableText.of(refused.getMessage()));
      return CommandLine.ExitCode.USAGE;
    }
    return line(Commands.of(typed)).execute(typed);
  }

  /** Returns the command with all subcommands. */
  public static CommandLine line() {
    return line(Commands.all());
  }

  private static CommandLine line(Map<String, Class<?>> below) {
    CommandLine line = new CommandLine(new EnsembleCommand());
    below.forEach(line::addSubcommand);
    line.setOverwrittenOptionsAllowed(true) // the last one counts, as in most commands
        .setExpandAtFiles(false) // @file is a word of the user's command, as in curl -d @file
        .setOut(PrintableWriter.over(System.out))
        .setErr(PrintableWriter.over(System.err))
        .setParameterExceptionHandler(EnsembleCommand::usageError)
        .setExecutionExceptionHandler(EnsembleCommand::failure);
    line.getCommandSpec().version("remuda " + BuildId.VERSION);
    return line;
  }

  private static int usageError(CommandLine.ParameterException fault, String[] arguments) {
    System.err.println("remuda: " + PrintableText.of(inWords(fault)) + " (see --help)");
    return CommandLine.ExitCode.USAGE;
  }

  private static String inWords(CommandLine.ParameterException fault) {
    if (fault instanceof CommandLine.UnmatchedArgumentException unmatched
        && !unmatched.getUnmatched().isEmpty()
        && !unmatched.getUnmatched().get(0).startsWith("-")) {
      return "no such command: '" + unmatched.getUnmatched().get(0) + "'";
    }
    return fault.getMessage();
  }

  private static int failure(Exception fault, CommandLine line, CommandLine.ParseResult parsed) {
    System.err.println("remuda: " + PrintableText.of(FaultText.of(fault)));
    return fault instanceof NotUtf8 ? CommandLine.ExitCode.USAGE : FAILURE;
  }

  @Override
  public Integer call() throws Exception {
    System.setProperty("REMUDA_LOG_LEVEL", options.verbose ? "DEBUG" : "WARN");
    HostInfo host = LinuxHost.open(System.getenv()).info();
    if (options.rehearse) {
      options.rehearse();
    }
    Optional<SlurmAgents> slurm = slurm();
    Optional<String> fault =
        EnsembleChecks.fault(options, slurm.isEmpty() ? Optional.of(host) : Optional.empty());
    if (fault.isPresent() && !options.rehearse) { // a rehearsal has no training workers
      throw usage(fault.get());
    }
    checkSimulated();
    InetSocketAddress listen = listen(slurm);
    RemudaPaths paths = RemudaPaths.current();
    paths.check();
    int ownNodes = slurm.map(SlurmAgents::count).orElseGet(options::localNodes);
    EnsembleSettings settings = options.settings(givenData(), ownNodes);
    checkGivenData(settings, paths);
    FreeAddress.check(
        listen, "--listen", "give an address of this machine, and a free port or none");
    if (ONLY_CHECK) {
      return CommandLine.ExitCode.OK;
    }
    return run(settings, paths, slurm.orElse(null), listen);
  }

  /** Returns agents for the surrounding Slurm job; empty without one or with {@code --nodes}. */
  private Optional<SlurmAgents> slurm() {
    try {
      Optional<SlurmAllocation> allocation =
          options.nodes == null ? SlurmAllocation.of(System.getenv()) : Optional.empty();
      if (allocation.isEmpty() && !options.srunArguments.isEmpty()) {
        throw usage("--srun-args is for runs in a Slurm job, without --nodes");
      }
      return allocation.map(
          job -> new SlurmAgents(job, SrunArguments.split(options.srunArguments)));
    } catch (IllegalArgumentException fault) {
      throw usage(fault.getMessage());
    }
  }

  private CommandLine.ParameterException usage(String fault) {
    return new CommandLine.ParameterException(spec.commandLine(), fault);
  }

  private void checkSimulated() {
    if (options.simulateGpus == null) {
      return;
    }
    try {
      DeviceSources.simulated(options.simulateGpus, "check").close();
    } catch (IllegalArgumentException fault) {
      throw usage("--simulate-gpus: " + fault.getMessage());
    }
  }

  private InetSocketAddress listen(Optional<SlurmAgents> slurm) throws IOException {
    if (options.listen == null) {
      InetAddress here =
          slurm.isPresent()
              ? slurm.get().addressTowardsNodes()
              : InetAddress.getByAddress(LOOPBACK);
      return new InetSocketAddress(here, 0);
    }
    try {
      return ListenAddress.parse(options.listen);
    } catch (IllegalArgumentException fault) {
      throw usage(fault.getMessage());
    }
  }

  private Path givenData() {
    if (options.dataDir != null) {
      if (options.dataDir.toString().isBlank()) {
        throw usage("--data-dir is empty: give a folder");
      }
      return options.dataDir.toAbsolutePath();
    }
    String variable = Invocation.variable("MNIST_DIR").orElse(null);
    return variable == null || variable.isBlank() ? null : Path.of(variable).toAbsolutePath();
  }

  private static void checkGivenData(EnsembleSettings settings, RemudaPaths paths)
      throws IOException, DataException {
    if (settings.dataFolder() != null) {
      MnistData.locate(EnsembleRun.dataRequest(settings, paths), says -> {});
    }
  }

  private int run(
      EnsembleSettings settings, RemudaPaths paths, SlurmAgents agents, InetSocketAddress listen)
      throws Exception {
    EnsembleSignals signals = EnsembleSignals.watch();
    PrintStream err = System.err;
    try (Console console = console()) {
      EnsembleRun run =
          EnsembleRun.start(
              new EnsembleRun.Request(
                  settings, paths, agents, listen, options.simulateGpus, options.json, console),
              Clock.systemDefaultZone());
      signals.forward(run);
      console.onClosed(() -> run.interrupt("the output was closed", BROKEN_PIPE));
      return run.await();
    } finally {
      System.setErr(err); // console() replaces it if there are bars
    }
  }

  private Console console() {
    return RunConsole.open(options.bars, options.json, Invocation.readEnvironment());
  }
}
