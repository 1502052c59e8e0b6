package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.worker.job.JobTerms.Qos;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Finds the running tasks that should leave so that a waiting task or gang can start: the fewest
 * beside scavengers, the fewest of all, of the lowest priority, with the least lost work. It tries
 * on copies of the capacity with the scheduler itself, so each of them is needed, and without them
 * the waiting task cannot start.
 */
public final class VictimSearch {

  /**
   * Maximum number of plans for one search. After them it takes those that suffice, though fewer
   * might.
   */
  static final int MOST_TRIALS = 200;

  private static final Comparator<PreemptibleTaskGroup> CHEAPEST_FIRST =
      Comparator.comparingInt(PreemptibleTaskGroup::priority)
          .thenComparingInt(victim -> victim.tasks().size())
          .thenComparingLong(PreemptibleTaskGroup::lostMillis)
          .thenComparing(victim -> victim.tasks().get(0));

  private static final Comparator<List<PreemptibleTaskGroup>> LEAST_HARM =
      Comparator.<List<PreemptibleTaskGroup>>comparingInt(
              all -> tasks(all, one -> !Qos.fillsHoles(one.priority())))
          .thenComparingInt(all -> tasks(all, one -> true))
          .thenComparingInt(
              all -> all.stream().mapToInt(PreemptibleTaskGroup::priority).max().orElse(0))
          .thenComparingLong(all -> all.stream().mapToLong(PreemptibleTaskGroup::lostMillis).sum());

  /**
   * Who leaves, and where the waiting task or gang starts then.
   *
   * @param leaving empty if those that are leaving suffice
   * @param nodes of those that leave, and all of a gang, also those that are free now
   */
  public record Result(List<PreemptibleTaskGroup> leaving, Set<String> nodes) {}

  /** The capacity of the cluster without some of its tasks. */
  public interface Capacity {
    /** Returns the offers of all nodes as they would be if the tasks of these slots had left. */
    List<NodeOffer> without(Set<Long> slots);
  }

  private final Snapshot snapshot;
  private final List<TaskClass> wanted;
  private final int tasks;
  private final Set<Long> leaving;
  private final Capacity capacity;
  private int trials;

  /**
   * @param wanted what has to start together: the waiting task or gang, and those for which other
   *     tasks are leaving already
   * @param leaving slots of those
   */
  private VictimSearch(
      Snapshot snapshot, List<TaskClass> wanted, Set<Long> leaving, Capacity capacity) {
    this.snapshot = snapshot;
    this.wanted = wanted;
    this.tasks = wanted.stream().mapToInt(line -> line.tasks().size()).sum();
    this.leaving = leaving;
    this.capacity = capacity;
  }

  /**
   * Returns who should leave; empty if nobody can help.
   *
   * @param waiting the task or gang that should start, as a class of its own
   * @param claimed the tasks for which others are leaving, as classes
   * @param leaving slots of those
   * @param candidates which may be asked
   */
  public static Optional<Result> of(
      Snapshot snapshot,
      TaskClass waiting,
      Collection<TaskClass> claimed,
      Set<Long> leaving,
      Collection<PreemptibleTaskGroup> candidates,
      Capacity capacity) {
    List<TaskClass> wanted = new ArrayList<>(claimed);
    wanted.add(waiting);
    VictimSearch search = new VictimSearch(snapshot, wanted, leaving, capacity);
    return search
        .find(waiting, candidates.stream().sorted(CHEAPEST_FIRST).toList())
        .map(gone -> new Result(gone, search.nodes(waiting, gone)));
  }

  /** Returns the plan for some classes on some of the nodes. */
  public static Plan planOn(Set<String> nodes, Snapshot snapshot, List<TaskClass> wanted) {
    return Scheduler.plan(snapshot.over(on(nodes, snapshot.nodes())), wanted);
  }

  /**
   * Returns whether a task or gang starts on these offers though capacity is kept for those that
   * have waited too long: nobody is to leave for one that delays them.
   *
   * @param keptFor the classes for which it may be kept
   */
  public static boolean startsBeside(
      List<TaskClass> keptFor, TaskClass wanted, Snapshot snapshot, List<NodeOffer> offers) {
    List<TaskClass> all = new ArrayList<>(keptFor);
    all.removeIf(one -> one.key().equals(wanted.key()));
    if (all.isEmpty()) {
      return true;
    }
    all.add(wanted);
    return !Scheduler.plan(snapshot.over(offers), all).waiting().containsKey(wanted.key());
  }

  private static List<NodeOffer> on(Set<String> nodes, List<NodeOffer> offers) {
    return offers.stream().filter(offer -> nodes.contains(offer.node())).toList();
  }

  private Optional<List<PreemptibleTaskGroup>> find(
      TaskClass waiting, List<PreemptibleTaskGroup> candidates) {
    if (starts(List.of())) {
      return Optional.of(List.of());
    }
    if (waiting.key().gang() != null) {
      return enough(candidates);
    }
    Map<String, List<PreemptibleTaskGroup>> byNode = new LinkedHashMap<>();
    for (PreemptibleTaskGroup candidate : candidates) {
      for (String node : new TreeSet<>(candidate.nodes())) {
        byNode.computeIfAbsent(node, name -> new ArrayList<>()).add(candidate);
      }
    }
    byNode.entrySet().removeIf(node -> !mayHelp(node.getKey(), node.getValue(), waiting));
    return byNode.values().stream().map(this::enough).flatMap(Optional::stream).min(LEAST_HARM);
  }

  /** Returns whether the waiting task could start on a node without these; a plan of one node. */
  private boolean mayHelp(String node, List<PreemptibleTaskGroup> gone, TaskClass waiting) {
    Set<Long> slots = new HashSet<>(leaving);
    gone.forEach(victim -> slots.addAll(victim.slots()));
    List<NodeOffer> offers = on(Set.of(node), capacity.without(slots));
    return !Scheduler.plan(snapshot.over(offers), List.of(waiting)).placements().isEmpty();
  }

  /** Returns the cheapest of them that suffice, each of which is needed. */
  private Optional<List<PreemptibleTaskGroup>> enough(List<PreemptibleTaskGroup> candidates) {
    if (candidates.isEmpty() || !starts(candidates)) {
      return Optional.empty();
    }
    int low = 1;
    int high = candidates.size();
    while (low < high) { // with more of them it starts too; without trials left, it is all
      int middle = (low + high) / 2;
      if (starts(candidates.subList(0, middle))) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    List<PreemptibleTaskGroup> needed = new ArrayList<>(candidates.subList(0, low));
    for (int i = needed.size() - 1; i >= 0 && needed.size() > 1; i--) {
      PreemptibleTaskGroup dearest = needed.remove(i);
      if (!starts(needed)) {
        needed.add(i, dearest);
      }
    }
    return Optional.of(needed);
  }

  private static int tasks(List<PreemptibleTaskGroup> all, Predicate<PreemptibleTaskGroup> which) {
    return all.stream().filter(which).mapToInt(one -> one.tasks().size()).sum();
  }

  private boolean starts(List<PreemptibleTaskGroup> gone) {
    return ++trials <= MOST_TRIALS && planWithout(gone).placements().size() == tasks;
  }

  private Plan planWithout(List<PreemptibleTaskGroup> gone) {
    Set<Long> slots = new HashSet<>(leaving);
    gone.forEach(victim -> slots.addAll(victim.slots()));
    return Scheduler.plan(snapshot.over(capacity.without(slots)), wanted);
  }

  private Set<String> nodes(TaskClass waiting, List<PreemptibleTaskGroup> gone) {
    Set<String> nodes = new HashSet<>();
    gone.forEach(victim -> nodes.addAll(victim.nodes()));
    if (waiting.key().gang() != null) {
      for (Plan.Placement placement : planWithout(gone).placements()) {
        if (waiting.tasks().contains(placement.task())) {
          nodes.add(placement.node());
        }
      }
    }
    return nodes;
  }
}
