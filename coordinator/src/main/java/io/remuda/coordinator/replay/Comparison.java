package io.remuda.coordinator.replay;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A past, and what would have been. Waits are in seconds.
 *
 * @param from its beginning, as an instant
 * @param to its end
 * @param jobs that had a place in it
 * @param tasks of these
 * @param users whose jobs they are
 * @param nodes as they are now
 * @param gpus of these
 * @param cases how it was, then the same past simulated as everything is now, then what would have
 *     been
 * @param notKnown what such a comparison does not know, each a sentence
 */
public record Comparison(
    String from,
    String to,
    int jobs,
    int tasks,
    int users,
    int nodes,
    int gpus,
    List<Case> cases,
    List<String> notKnown) {

  private static final double PERCENT = 100;
  private static final double TENTHS = 10;
  private static final double MILLIS = 1000;

  /** What no replay knows. */
  private static final List<String> ALWAYS =
      List.of(
          "Nodes count as they are now, also for times in which they were away, drained or not yet"
              + " there.",
          "A task takes as long as it took, with all its tries, on whatever GPU and beside whatever"
              + " others; it starts at once, and leaves at once if it is asked to.",
          "Jobs come when they came: nobody submits more, or later, because it goes faster. Jobs that"
              + " depend on others wait for these; holds, changes and what was used before are"
              + " forgotten.",
          "What ended jobs of before have told of their type is not known at the beginning; epochs are"
              + " not known at all.",
          "Nobody is shown when a job is expected to start, so nothing is kept for what was shown.");

  public Comparison {
    cases = List.copyOf(cases);
    notKnown = List.copyOf(notKnown);
  }

  /**
   * One way in which it was or would have been.
   *
   * @param name as {@code as it was}, {@code simulated}, {@code order expected, with h100:8}
   * @param order whose turn it is; absent for the past, in which it may have changed
   * @param policy which node gets a task; absent for as each job asked
   * @param added further nodes; absent for none
   * @param gpuPercent of the GPUs that tasks had, in percent of all their time; absent without GPUs
   * @param preemptions how often tasks were asked to leave
   * @param fairness Jain's index over users, 1 if all are alike
   * @param leftOut tasks that fit nowhere; absent for none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Case(
      String name,
      String order,
      String policy,
      List<String> added,
      double meanWait,
      double p50Wait,
      double p90Wait,
      double maxWait,
      Double gpuPercent,
      long preemptions,
      double fairness,
      Integer leftOut) {

    private static Case of(String name, String order, WhatIf change, ReplaySummary sum) {
      return new Case(
          name,
          order,
          change.policy() == null ? null : change.policy().toString(),
          change.added().isEmpty()
              ? null
              : change.added().stream().map(AddedNode::toString).toList(),
          rounded(sum.meanWait(), MILLIS),
          rounded(sum.p50Wait(), MILLIS),
          rounded(sum.p90Wait(), MILLIS),
          rounded(sum.maxWait(), MILLIS),
          Double.isNaN(sum.gpusHeld()) ? null : rounded(sum.gpusHeld() * PERCENT, TENTHS),
          sum.preemptions(),
          rounded(sum.fairness(), MILLIS),
          sum.leftOut() == 0 ? null : sum.leftOut());
    }

    private static double rounded(double value, double parts) {
      return Math.round(value * parts) / parts;
    }
  }

  /** Hears how far it is. */
  @FunctionalInterface
  public interface Progress {
    /** So many tasks of a case have ended. */
    void at(String name, long ended);
  }

  /** Simulates a past as everything is now, and with each of these changes. */
  public static Comparison of(Past past, List<WhatIf> changes, Progress progress) {
    List<Case> cases = new ArrayList<>();
    cases.add(Case.of("as it was", null, WhatIf.NOTHING, past.asItWas()));
    List<WhatIf> all = new ArrayList<>(List.of(WhatIf.NOTHING));
    all.addAll(changes);
    for (WhatIf change : all) {
      String name = name(change);
      String order = (change.order() == null ? past.rules().order() : change.order()).toString();
      ReplaySummary sum = Replay.run(past, change, ended -> progress.at(name, ended));
      cases.add(Case.of(name, order, change, sum));
    }
    List<String> notKnown = new ArrayList<>(past.unknown());
    notKnown.addAll(ALWAYS);
    return new Comparison(
        Instant.ofEpochMilli(past.fromMillis()).toString(),
        Instant.ofEpochMilli(past.toMillis()).toString(),
        past.jobs().size(),
        past.tasks(),
        past.users(),
        past.nodes().size(),
        past.nodes().gpus(),
        cases,
        notKnown);
  }

  private static String name(WhatIf change) {
    List<String> parts = new ArrayList<>();
    if (change.order() != null) {
      parts.add("order " + change.order());
    }
    if (change.policy() != null) {
      parts.add("policy " + change.policy());
    }
    if (!change.added().isEmpty()) {
      parts.add(
          "with " + String.join(" ", change.added().stream().map(AddedNode::toString).toList()));
    }
    return parts.isEmpty() ? "simulated" : String.join(", ", parts);
  }
}
