package io.remuda.coordinator.cli.simulate;

import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.replay.AddedNode;
import io.remuda.coordinator.replay.Comparison;
import io.remuda.coordinator.replay.Past;
import io.remuda.coordinator.replay.PastReader;
import io.remuda.coordinator.replay.WhatIf;
import io.remuda.coordinator.schedule.order.OrderPolicies;
import io.remuda.worker.job.PlacementPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What could have been other in the past of a cluster, and its comparison with what was. */
public final class WhatIfOptions {

  private static final int MOST_CASES = 50;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      split = ",",
      description =
          "what would have been with another order of jobs: fifo, backfill, fair, levels, shortest,"
              + " learned or expected; a row of the table for each")
  private List<String> orders = new ArrayList<>();

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      split = ",",
      description =
          "what would have been if this policy of remuda submit had chosen the node of each task; a"
              + " row of the table for each")
  private List<String> policies = new ArrayList<>();

  @Option(
      names = "--add-node",
      paramLabel = "MODEL:COUNT",
      description =
          "what would have been with a further node with so many GPUs, as h100:8, and the cores and"
              + " memory for each that the present nodes have (repeatable)")
  private List<String> added = new ArrayList<>();

  /** Returns whether none is given. */
  public boolean areNone() {
    return orders.isEmpty() && policies.isEmpty() && added.isEmpty();
  }

  /**
   * Returns the changes: each order with each policy, with the further nodes.
   *
   * @throws ParameterException if one is unknown, or there are too many
   */
  private List<WhatIf> changes() {
    List<AddedNode> nodes = parsed(added, AddedNode::parse);
    List<OrderPolicies> asked = parsed(orders, name -> OrderPolicies.parse(name, "--order"));
    List<PlacementPolicy> placed = parsed(policies, PlacementPolicy::parse);
    List<WhatIf> changes = new ArrayList<>();
    for (OrderPolicies order : orAsIs(asked)) {
      for (PlacementPolicy policy : orAsIs(placed)) {
        changes.add(new WhatIf(order, policy, nodes));
      }
    }
    changes.remove(WhatIf.NOTHING);
    if (changes.size() > MOST_CASES) {
      throw new ParameterException(
          spec.commandLine(),
          "at most " + MOST_CASES + " rows, got " + changes.size() + ": give fewer orders");
    }
    return changes;
  }

  private <T> List<T> parsed(List<String> given, Function<String, T> parse) {
    try {
      return given.stream().map(parse).toList();
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
    }
  }

  private static <T> List<T> orAsIs(List<T> given) {
    return given.isEmpty() ? Collections.singletonList(null) : given;
  }

  /**
   * Reads a past from a server, and compares it with what would have been; shows on a terminal how
   * far that is.
   *
   * @param from its beginning in milliseconds since 1970
   * @param to its end
   * @return empty if no task had a place in it
   * @throws ParameterException if an option is wrong, before anything is read
   */
  public Optional<Comparison> compare(RestClient server, long from, long to, Caller caller)
      throws IOException {
    List<WhatIf> changes = changes();
    try (SimulationProgress progress = SimulationProgress.of(caller)) {
      Past past =
          new PastReader(server::get, from, to)
              .read((done, all) -> progress.at("reading jobs", done, all));
      return past.tasks() == 0
          ? Optional.empty()
          : Optional.of(
              Comparison.of(
                  past, changes, (name, ended) -> progress.at(name, ended, past.tasks())));
    }
  }
}
