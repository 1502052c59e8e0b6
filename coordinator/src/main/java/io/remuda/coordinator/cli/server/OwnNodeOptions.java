package io.remuda.coordinator.cli.server;

import com.typesafe.config.ConfigFactory;
import io.remuda.agent.commandline.Caller;
import io.remuda.agent.settings.GpuIds;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.NodeConstraints;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What a server calls its own node, what that has, and what all nodes share. */
final class OwnNodeOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--name",
      paramLabel = "NODE",
      description = "name of this machine's node (default: its host name)")
  private String name;

  @Option(
      names = "--label",
      paramLabel = "KEY=VALUE",
      description = "a label of this machine's node that jobs can require; may be repeated")
  private Map<String, String> labels = new LinkedHashMap<>();

  @Option(
      names = "--node-resource",
      paramLabel = "NAME=N",
      description =
          "N of a counted resource that this machine's node has, such as scratch=2; may be repeated")
  private List<String> ofNode = new ArrayList<>();

  @Option(
      names = "--gpu-ids",
      paramLabel = "index|uuid",
      description =
          "by what programs on this machine are told their GPUs (default: index, where numbers are"
              + " sure)")
  private String gpuIds;

  @Option(
      names = "--resource",
      paramLabel = "NAME=N",
      description =
          "N of a counted resource that all nodes share, such as lic=4, for jobs with --resource;"
              + " may be repeated")
  private List<String> shared = new ArrayList<>();

  /** Refuses a name for a node, since the nodes have Slurm's. */
  void refuseName() {
    if (name != null) {
      throw refused(
          "--name is for the node of this machine; in a Slurm job all nodes have Slurm's names"
              + " (--no-srun has a node for this machine alone)");
    }
  }

  /** Returns the name of the node. */
  String name(String host) {
    if (name != null && (name.isBlank() || !PrintableText.isName(name))) {
      throw refused("--name must be printable characters, got '" + PrintableText.of(name) + "'");
    }
    return name == null ? host : name;
  }

  /** Returns the options of the node's agent, checked as the agent does. */
  List<String> ofAgent() {
    List<String> options = new ArrayList<>();
    labels.forEach(
        (key, value) -> {
          String label = key + "=" + value;
          if (!PrintableText.isName(label)) {
            throw refused(
                "--label must be printable characters, got '" + PrintableText.of(label) + "'");
          }
          options.addAll(List.of("--label", label));
        });
    if (gpuIds != null) {
      try {
        options.addAll(List.of("--gpu-ids", GpuIds.parse("--gpu-ids", gpuIds).word()));
      } catch (IllegalArgumentException wrong) {
        throw refused(wrong.getMessage());
      }
    }
    amounts("--node-resource", ofNode)
        .forEach((resource, most) -> options.addAll(List.of("--resource", resource + "=" + most)));
    return options;
  }

  /** Makes what all nodes share a setting of this server. */
  void share() {
    if (!shared.isEmpty()) {
      amounts("--resource", shared);
      if (!Caller.of(spec).isOwnProcess()) { // other servers have the same system properties
        throw refused(
            "--resource is for a server with a process of its own: write"
                + " remuda.coordinator.sharing.resources into remuda.conf of REMUDA_HOME");
      }
      System.setProperty("remuda.coordinator.sharing.resources", String.join(",", shared));
      ConfigFactory.invalidateCaches();
    }
  }

  private Map<String, Long> amounts(String option, List<String> texts) {
    try {
      return NodeConstraints.read(texts);
    } catch (IllegalArgumentException wrong) {
      throw refused(option + ": " + wrong.getMessage());
    }
  }

  private ParameterException refused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
