package io.remuda.coordinator.cli.command;

import io.remuda.coordinator.cli.aichor.SchemaCommand;
import io.remuda.coordinator.cli.channel.AttachCommand;
import io.remuda.coordinator.cli.channel.ForwardCommand;
import io.remuda.coordinator.cli.channel.SignalCommand;
import io.remuda.coordinator.cli.ensemble.EnsembleRunCommand;
import io.remuda.coordinator.cli.history.HistoryCommand;
import io.remuda.coordinator.cli.history.MetricCommand;
import io.remuda.coordinator.cli.job.CancelCommand;
import io.remuda.coordinator.cli.job.ExplainCommand;
import io.remuda.coordinator.cli.job.HoldCommand;
import io.remuda.coordinator.cli.job.ProfilesCommand;
import io.remuda.coordinator.cli.job.ReleaseCommand;
import io.remuda.coordinator.cli.job.RequeueCommand;
import io.remuda.coordinator.cli.job.ResubmitCommand;
import io.remuda.coordinator.cli.job.RunCommand;
import io.remuda.coordinator.cli.job.SetCommand;
import io.remuda.coordinator.cli.job.ShowCommand;
import io.remuda.coordinator.cli.job.StateCommand;
import io.remuda.coordinator.cli.job.SubmitCommand;
import io.remuda.coordinator.cli.job.WaitCommand;
import io.remuda.coordinator.cli.list.UsageCommand;
import io.remuda.coordinator.cli.logs.LogsCommand;
import io.remuda.coordinator.cli.manual.CompleteCommand;
import io.remuda.coordinator.cli.node.DrainCommand;
import io.remuda.coordinator.cli.node.GpusCommand;
import io.remuda.coordinator.cli.node.NodesCommand;
import io.remuda.coordinator.cli.node.ResumeCommand;
import io.remuda.coordinator.cli.node.TopCommand;
import io.remuda.coordinator.cli.remote.AgentCommand;
import io.remuda.coordinator.cli.report.PlotCommand;
import io.remuda.coordinator.cli.report.ReportCommand;
import io.remuda.coordinator.cli.server.BackupCommand;
import io.remuda.coordinator.cli.server.ClusterCommand;
import io.remuda.coordinator.cli.server.ConfigCommand;
import io.remuda.coordinator.cli.server.MetricsCommand;
import io.remuda.coordinator.cli.server.RestoreCommand;
import io.remuda.coordinator.cli.server.ServeCommand;
import io.remuda.coordinator.cli.server.StopCommand;
import io.remuda.coordinator.cli.server.StoreCommand;
import io.remuda.coordinator.cli.server.UserCommand;
import io.remuda.coordinator.cli.simulate.SimulateCommand;
import io.remuda.coordinator.cli.ui.UiCommand;
import io.remuda.coordinator.cli.unit.ServiceCommand;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The subcommands of {@code remuda}, in the order of the help. Reading the options of all commands
 * takes longer than running most of them, so only the commands are added that the arguments may
 * name.
 */
public final class CommandList {

  /** {@code --help}, or {@code -h}, alone or combined with other short options. */
  private static final Pattern HELP = Pattern.compile("--help|-[a-zA-Z]*h[a-zA-Z]*");

  /** A command for the script that completes command lines, not for users. */
  private static final String COMPLETE = "complete";

  private static final Map<String, Class<?>> BY_NAME = new LinkedHashMap<>();

  static {
    BY_NAME.put("serve", ServeCommand.class);
    BY_NAME.put("agent", AgentCommand.class);
    BY_NAME.put("submit", SubmitCommand.class);
    BY_NAME.put("run", RunCommand.class);
    BY_NAME.put("state", StateCommand.class);
    BY_NAME.put("show", ShowCommand.class);
    BY_NAME.put("explain", ExplainCommand.class);
    BY_NAME.put("logs", LogsCommand.class);
    BY_NAME.put("attach", AttachCommand.class);
    BY_NAME.put("forward", ForwardCommand.class);
    BY_NAME.put("cancel", CancelCommand.class);
    BY_NAME.put("signal", SignalCommand.class);
    BY_NAME.put("hold", HoldCommand.class);
    BY_NAME.put("release", ReleaseCommand.class);
    BY_NAME.put("requeue", RequeueCommand.class);
    BY_NAME.put("resubmit", ResubmitCommand.class);
    BY_NAME.put("set", SetCommand.class);
    BY_NAME.put("wait", WaitCommand.class);
    BY_NAME.put("nodes", NodesCommand.class);
    BY_NAME.put("top", TopCommand.class);
    BY_NAME.put("ui", UiCommand.class);
    BY_NAME.put("drain", DrainCommand.class);
    BY_NAME.put("resume", ResumeCommand.class);
    BY_NAME.put("profiles", ProfilesCommand.class);
    BY_NAME.put("usage", UsageCommand.class);
    BY_NAME.put("history", HistoryCommand.class);
    BY_NAME.put("metric", MetricCommand.class);
    BY_NAME.put("plot", PlotCommand.class);
    BY_NAME.put("report", ReportCommand.class);
    BY_NAME.put("simulate", SimulateCommand.class);
    BY_NAME.put("metrics", MetricsCommand.class);
    BY_NAME.put("user", UserCommand.class);
    BY_NAME.put("stop", StopCommand.class);
    BY_NAME.put("cluster", ClusterCommand.class);
    BY_NAME.put("backup", BackupCommand.class);
    BY_NAME.put("restore", RestoreCommand.class);
    BY_NAME.put("store", StoreCommand.class);
    BY_NAME.put("ensemble", EnsembleRunCommand.class);
    BY_NAME.put("service", ServiceCommand.class);
    BY_NAME.put("config", ConfigCommand.class);
    BY_NAME.put("doctor", DoctorCommand.class);
    BY_NAME.put("gpus", GpusCommand.class);
    BY_NAME.put("schema", SchemaCommand.class);
    BY_NAME.put("completion", CompletionCommand.class);
    BY_NAME.put("help", HelpCommand.class);
    BY_NAME.put(COMPLETE, CompleteCommand.class);
  }

  /** Other names of commands, which other programs use. */
  private static final Map<String, String> ALIASES =
      Map.of("list", "state", "ls", "state", "queue", "state", "ps", "state", "status", "state");

  private static final Set<String> LOCAL =
      Set.of(
          "serve",
          "agent",
          "service",
          "store",
          "ensemble",
          "config",
          "doctor",
          "gpus",
          "metric",
          "simulate",
          "completion",
          "help");

  private CommandList() {}

  /** Returns whether the command of this name sends requests to a server. */
  public static boolean asksServer(String name) {
    return BY_NAME.containsKey(own(name)) && !LOCAL.contains(name);
  }

  private static String own(String name) {
    return ALIASES.getOrDefault(name, name);
  }

  /** Returns the names of all commands, with that of the separate program {@code agent}. */
  static List<String> names() {
    return Stream.concat(BY_NAME.keySet().stream(), Stream.of("agent"))
        .filter(name -> !name.equals(COMPLETE))
        .toList();
  }

  /** Returns all commands by name. */
  static Map<String, Class<?>> all() {
    return BY_NAME;
  }

  /** Returns the commands that these arguments may name or ask help for. */
  static Map<String, Class<?>> of(String[] arguments) {
    List<String> words = List.of(arguments);
    if (words.contains("completion") || (!words.isEmpty() && words.get(0).equals("help"))) {
      return BY_NAME;
    }
    for (String word : words) {
      if (BY_NAME.containsKey(own(word))) {
        break; // the words after it belong to the command
      } else if (HELP.matcher(word).matches()) {
        return BY_NAME;
      }
    }
    Map<String, Class<?>> named = new LinkedHashMap<>(BY_NAME);
    named.keySet().retainAll(words.stream().map(CommandList::own).toList());
    return named;
  }
}
