package io.remuda.coordinator.cli.ensemble;

import io.remuda.agent.commandline.Caller;
import io.remuda.agent.settings.RemudaPaths;
import io.remuda.coordinator.cli.report.NewFile;
import io.remuda.coordinator.cli.server.ListenAddress;
import io.remuda.coordinator.console.Console;
import io.remuda.coordinator.ensemble.EnsembleRun;
import io.remuda.coordinator.ensemble.EnsembleSettings;
import io.remuda.coordinator.ensemble.report.RunRecorder;
import io.remuda.coordinator.ensemble.report.RunReport;
import io.remuda.coordinator.settings.FreeAddressCheck;
import io.remuda.coordinator.slurm.SlurmAllocation;
import io.remuda.coordinator.slurm.SlurmStepAgents;
import io.remuda.coordinator.slurm.SrunArgumentSplitter;
import io.remuda.telemetry.host.LinuxHost;
import io.remuda.telemetry.machine.DeviceSources;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.worker.workload.mnist.data.DataException;
import io.remuda.worker.workload.mnist.data.MnistDataLocator;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Checks the options of an ensemble and runs it: bad input ends here, before anything starts. */
public final class EnsembleLaunch {

  /** As a shell shows an end by SIGPIPE. */
  private static final int BROKEN_PIPE = 141;

  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  /** Before anything is made for a first run: {@code bin/remuda} sets it and then looks here. */
  private static final boolean ONLY_CHECK = Boolean.getBoolean("remuda.only-check");

  private final CommandSpec spec;
  private final Caller caller;
  private final EnsembleOptions options;

  public EnsembleLaunch(CommandSpec spec, EnsembleOptions options) {
    this.spec = spec;
    this.caller = Caller.of(spec);
    this.options = options;
  }

  /** Runs it and returns the exit code. */
  public int call() throws Exception {
    caller.process().logFrom(options.verbose ? "DEBUG" : "WARN");
    HostInfo host = LinuxHost.open(caller.readEnvironment()).info();
    if (options.rehearse) {
      options.rehearse();
    }
    Optional<SlurmStepAgents> slurm = slurm();
    Optional<String> fault =
        EnsembleChecks.fault(options, slurm.isEmpty() ? Optional.of(host) : Optional.empty());
    if (fault.isPresent() && !options.rehearse) { // which has no training
      throw usage(fault.get());
    }
    checkSimulated();
    InetSocketAddress listen = listen(slurm);
    RemudaPaths paths = caller.paths();
    paths.check();
    int ownNodes = slurm.map(SlurmStepAgents::count).orElseGet(options::localNodes);
    EnsembleSettings settings = options.settings(givenData(), ownNodes);
    checkGivenData(settings, paths);
    NewFile report = report();
    FreeAddressCheck.check(
        listen, "--listen", "give an address of this machine, and a free port or none");
    if (ONLY_CHECK) {
      return CommandLine.ExitCode.OK;
    }
    return run(settings, paths, slurm.orElse(null), listen, report);
  }

  /** Agents on the nodes of the Slurm job that this is in, unless nodes here were asked for. */
  private Optional<SlurmStepAgents> slurm() {
    try {
      Optional<SlurmAllocation> allocation =
          options.nodes == null ? SlurmAllocation.of(caller.readEnvironment()) : Optional.empty();
      if (allocation.isEmpty() && !options.srunArguments.isEmpty()) {
        throw usage("--srun-args is for runs in a Slurm job, without --nodes");
      }
      return allocation.map(
          job -> new SlurmStepAgents(job, SrunArgumentSplitter.split(options.srunArguments)));
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
    DeviceSources.simulationNote(caller.readEnvironment())
        .ifPresent(note -> spec.commandLine().getErr().println("remuda: " + note));
  }

  private InetSocketAddress listen(Optional<SlurmStepAgents> slurm) throws IOException {
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
      return caller.absolute(options.dataDir);
    }
    String variable = caller.variable("MNIST_DIR").orElse(null);
    return variable == null || variable.isBlank() ? null : caller.absolute(Path.of(variable));
  }

  private static void checkGivenData(EnsembleSettings settings, RemudaPaths paths)
      throws IOException, DataException {
    if (settings.dataFolder() != null) {
      MnistDataLocator.locate(EnsembleRun.dataRequest(settings, paths), says -> {});
    }
  }

  private int run(
      EnsembleSettings settings,
      RemudaPaths paths,
      SlurmStepAgents agents,
      InetSocketAddress listen,
      NewFile report)
      throws Exception {
    EnsembleSignals signals = EnsembleSignals.watch(caller.process());
    PrintStream err = caller.err();
    Clock clock = Clock.systemDefaultZone();
    RunRecorder recorder = new RunRecorder(clock.instant().getEpochSecond(), options.interval);
    try (Console console = console()) {
      if (report != null) {
        console.watchedBy(recorder);
      }
      EnsembleRun run =
          EnsembleRun.start(
              new EnsembleRun.Request(
                  settings,
                  caller.readEnvironment(),
                  paths,
                  agents,
                  listen,
                  options.simulateGpus,
                  options.json,
                  console),
              clock);
      signals.forward(run);
      console.onClosed(() -> run.interrupt("nobody reads the output any more", BROKEN_PIPE));
      int code = run.await();
      return report == null ? code : write(report, run, recorder, code, console, clock);
    } finally {
      caller.process().redirectErr(err); // which bars had taken over
    }
  }

  /** Returns the file for the report, null for none; one that cannot be made is bad usage. */
  private NewFile report() {
    if (options.report == null) {
      return null;
    }
    try {
      return NewFile.check(caller.absolute(options.report), NewFile.Existing.KEEP);
    } catch (IOException fault) {
      throw usage("--report: " + fault.getMessage());
    }
  }

  private static int write(
      NewFile report,
      EnsembleRun run,
      RunRecorder recorder,
      int code,
      Console console,
      Clock clock) {
    try {
      long now = clock.instant().getEpochSecond();
      report.write(
          RunReport.of(run.name(), recorder, run.events(), code, now, clock.getZone()).html());
      return code;
    } catch (IOException fault) {
      console.note("remuda: the report was not written: " + fault.getMessage());
      return code == 0 ? CommandLine.ExitCode.SOFTWARE : code;
    }
  }

  private Console console() {
    return RunConsoleFactory.open(options.bars, options.json, caller);
  }
}
