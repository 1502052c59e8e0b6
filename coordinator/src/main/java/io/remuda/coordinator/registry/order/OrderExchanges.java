package io.remuda.coordinator.registry.order;

import io.remuda.coordinator.registry.forecast.PlacedTaskSource;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.schedule.GpuHolder;
import io.remuda.coordinator.schedule.PlaceExchange;
import io.remuda.coordinator.schedule.Plan;
import io.remuda.coordinator.schedule.PreemptibleTaskGroup;
import io.remuda.coordinator.schedule.Snapshot;
import io.remuda.coordinator.schedule.VictimSearch;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.order.OrderPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds preemptible tasks that leave for a more urgent one of equal priority. Single-threaded. */
public final class OrderExchanges {

  /** Waiting classes that are looked at in a round. */
  private static final int MOST_SEARCHES = 8;

  /** Who leaves for the first task of a part of a class, or for its gang, which starts there. */
  public record Found(TaskClass waiting, List<PreemptibleTaskGroup> leaving, Set<String> nodes) {}

  private final OrderPolicy policy;
  private final JobStandings standings;
  private final PlacedTaskSource running;

  public OrderExchanges(OrderPolicy policy, JobStandings standings, PlacedTaskSource running) {
    this.policy = policy;
    this.standings = standings;
    this.running = running;
  }

  /**
   * Returns who leaves for whom; empty if nobody is to.
   *
   * @param keys the classes for which others may leave, in the order of their turns
   * @param classes what the plan was made of
   * @param candidates who may be asked
   * @param promised nodes whose places are promised to others
   */
  public Optional<Found> find(
      Snapshot snapshot,
      Plan plan,
      List<TaskClass.SchedulingKey> keys,
      Collection<TaskClass> classes,
      Collection<PreemptibleTaskGroup> candidates,
      Set<String> promised,
      VictimSearch.Capacity capacity,
      long now) {
    if (!policy.exchanges() || candidates.isEmpty()) {
      return Optional.empty();
    }
    Set<TaskId> placed = new HashSet<>();
    plan.placements().forEach(one -> placed.add(one.task()));
    Map<Integer, PlaceExchange> byPriority = new HashMap<>();
    List<GpuHolder> holders = holders(candidates, now);
    for (TaskClass.SchedulingKey key : keys.subList(0, Math.min(MOST_SEARCHES, keys.size()))) {
      Optional<TaskClass> waiting = mostUrgent(key, classes, placed);
      PlaceExchange exchanges =
          byPriority.computeIfAbsent(
              key.priority(),
              priority ->
                  new PlaceExchange(
                      snapshot,
                      holders.stream().filter(one -> one.group().priority() <= priority).toList(),
                      promised,
                      capacity));
      Optional<PlaceExchange.Exchange> exchange = waiting.flatMap(exchanges::find);
      if (exchange.isPresent()) {
        Set<String> nodes = new HashSet<>(exchange.get().nodes());
        exchange.get().leaving().forEach(group -> nodes.addAll(group.nodes()));
        return Optional.of(new Found(waiting.get(), exchange.get().leaving(), nodes));
      }
    }
    return Optional.empty();
  }

  private static Optional<TaskClass> mostUrgent(
      TaskClass.SchedulingKey key, Collection<TaskClass> classes, Set<TaskId> placed) {
    TaskClass best = null;
    for (TaskClass part : classes) {
      if (part.key().equals(key) && (best == null || part.urgency() > best.urgency())) {
        TaskClass first = TaskClass.first(key, part.tasks(), 1);
        best =
            first.tasks().stream().anyMatch(placed::contains)
                ? best
                : new TaskClass(key, first.tasks(), 0, first.overtaking(), part.urgency());
      }
    }
    return Optional.ofNullable(best);
  }

  private List<GpuHolder> holders(Collection<PreemptibleTaskGroup> candidates, long now) {
    Map<TaskId, PlacedTask> tasks = new HashMap<>();
    running.placed().forEach(task -> tasks.put(task.id(), task));
    List<GpuHolder> holders = new ArrayList<>();
    for (PreemptibleTaskGroup group : candidates) {
      PlacedTask first = tasks.get(group.tasks().get(0));
      TaskClass.SchedulingKey key = running.key(first);
      if (group.tasks().stream().map(key::needs).allMatch(OrderExchanges::isWhole)) {
        int gpus = group.tasks().stream().map(key::needs).mapToInt(ResourceRequest::gpus).sum();
        JobStandings.Aged aged = standings.aged(policy, first, running.spec(first), key, gpus, now);
        if (aged.value() > 0 && !aged.isOverdue()) {
          Map<String, List<ResourceRequest>> needs = new HashMap<>();
          for (TaskId one : group.tasks()) {
            needs
                .computeIfAbsent(tasks.get(one).place().node(), any -> new ArrayList<>())
                .add(key.needs(one));
          }
          holders.add(GpuHolder.of(group, aged.value(), needs));
        }
      }
    }
    return holders;
  }

  private static boolean isWhole(ResourceRequest needs) {
    return needs.gpus() > 0 && !needs.gpuShare().isShared();
  }
}
