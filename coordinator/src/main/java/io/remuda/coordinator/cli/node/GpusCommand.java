package io.remuda.coordinator.cli.node;

import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.console.LiveScreen;
import io.remuda.coordinator.console.TerminalStream;
import io.remuda.coordinator.status.GpuLines;
import io.remuda.coordinator.status.RunNodesStatus;
import io.remuda.coordinator.status.RunStatusFile;
import io.remuda.coordinator.status.RunningEnsembles;
import io.remuda.telemetry.host.LinuxHost;
import io.remuda.telemetry.machine.DeviceSources;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.render.BarStyle;
import io.remuda.telemetry.render.LabelledBar;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.source.HostSource;
import io.remuda.telemetry.source.TelemetrySampler;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the GPUs of this machine and of all nodes of the user's runs and job service. */
@Command(
    name = "gpus",
    description = "Shows the GPUs of this machine and of the nodes of your runs, one line each.",
    mixinStandardHelpOptions = true)
public final class GpusCommand implements Callable<Integer> {

  private static final Duration DRIVER = Duration.ofSeconds(5);
  private static final Duration SAMPLE = Duration.ofSeconds(2);
  private static final long PERIOD_MILLIS = 1000;

  @Option(
      names = {"-w", "--watch"},
      description = "refresh every second, in place on a terminal")
  private boolean watch;

  @Option(names = "--json", description = "print one JSON array; with --watch, one array a line")
  private boolean json;

  @Option(names = "--simulate-gpus", paramLabel = "SPEC", hidden = true)
  private String simulated;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Map<String, String> environment = Caller.of(spec).readEnvironment();
    HostSource host = LinuxHost.open(environment);
    String machine = host.info().hostName();
    DeviceSource devices =
        simulated != null
            ? DeviceSources.simulated(simulated, machine)
            : DeviceSources.open(environment, DRIVER);
    Path runs = Caller.of(spec).paths().state().resolve("runs");
    try (TelemetrySampler sampler = TelemetrySampler.start(devices, host, SAMPLE, machine)) {
      show(() -> statuses(runs, devices, sampler));
    }
    return 0;
  }

  private void show(Callable<List<RunNodesStatus>> statuses) throws Exception {
    Caller caller = Caller.of(spec);
    PrintStream out = new PrintStream(caller.out(), false, StandardCharsets.UTF_8);
    TerminalStream terminal = TerminalStream.of(caller, TerminalStream.OUT);
    if (watch && !json && terminal.moves(Caller.of(spec).readEnvironment())) {
      caller.process().addShutdownHook(new Thread(out::println, "last-line")); // below ^C
      LiveScreen screen =
          new LiveScreen(out, terminal::size, BarStyle.of(Caller.of(spec).readEnvironment()));
      while (true) {
        List<LabelledBar> lines =
            GpuLines.of(statuses.call()).stream().map(LabelledBar::words).toList();
        screen.show(most -> fitting(lines, most));
        Thread.sleep(PERIOD_MILLIS);
      }
    }
    do {
      List<RunNodesStatus> now = statuses.call();
      out.println(PrintableText.lines(json ? RunStatusFile.json(now) : plain(GpuLines.of(now))));
      out.flush();
      if (watch) {
        Thread.sleep(PERIOD_MILLIS);
      }
    } while (watch && !out.checkError());
  }

  /** Joins the lines; leaves out the degree sign if the output is not UTF-8. */
  private String plain(List<String> lines) {
    String text = String.join("\n", lines);
    return BarStyle.of(Caller.of(spec).readEnvironment()).unicode()
        ? text
        : text.replace("\u00b0C", " C");
  }

  private static List<LabelledBar> fitting(List<LabelledBar> lines, int most) {
    if (lines.size() <= most) {
      return lines;
    }
    List<LabelledBar> shown = new ArrayList<>(lines.subList(0, Math.max(0, most - 1)));
    shown.add(LabelledBar.words("and " + (lines.size() - shown.size()) + " more"));
    return shown;
  }

  /** Returns the nodes of runs and job service, and the local devices that none of them has. */
  private static List<RunNodesStatus> statuses(
      Path runs, DeviceSource devices, TelemetrySampler sampler) {
    long now = Clock.systemUTC().millis();
    List<RunNodesStatus> all = new ArrayList<>(RunningEnsembles.in(runs, now));
    RunningEnsembles.of(runs.getParent(), now).ifPresent(all::add); // the job service
    Set<String> shown =
        all.stream()
            .flatMap(run -> run.nodes().stream())
            .flatMap(node -> node.gpus().stream())
            .map(RunNodesStatus.GpuStatus::uuid)
            .collect(Collectors.toSet());
    NodeSample sample = sampler.sample();
    RunNodesStatus.NodeStatus here =
        RunNodesStatus.node(sample.node(), true, devices.inventory(), sample, Map.of());
    List<RunNodesStatus.GpuStatus> others =
        here.gpus().stream().filter(gpu -> !shown.contains(gpu.uuid())).toList();
    if (!others.isEmpty() || all.isEmpty()) {
      all.add(
          new RunNodesStatus(
              null,
              List.of(new RunNodesStatus.NodeStatus(here.name(), true, here.load1(), others))));
    }
    return all;
  }
}
