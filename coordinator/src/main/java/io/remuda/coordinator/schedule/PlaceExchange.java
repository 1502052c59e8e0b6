package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the running tasks that should make place for a more urgent task or gang, because more jobs
 * end then. Who leaves may go on at once on GPUs that are free elsewhere, which only costs a move.
 *
 * <pre>
 * length(n) = 1 / value(n)
 * loss      = Σ over who stays out of value / value(n) × (1 + lost / length(n))
 *           + Σ over who moves of {@value #MOVES} × lost / length(n)
 * </pre>
 *
 * The values are those of the {@linkplain io.remuda.coordinator.schedule.order.OrderPolicy order
 * policy}, lost is what a preemption costs, and {@code n} is the task or gang that waits. It gets
 * the places where the loss is the least, if that is below 1 / {@value #SURPLUS}. For one who
 * leaves, nothing lost, this is "the shorter one first"; for several it is Smith's rule for a
 * machine that does either all of them side by side or the other one (Smith, "Various optimizers
 * for single-stage production", 1956), so a job on one GPU of eight cannot keep the other seven
 * idle. Single-threaded.
 */
public final class PlaceExchange {

  /** A move must cost less than this part of what the waiting job takes. */
  static final double MOVES = 20;

  /** By which factor more must be gained than lost: values change while tasks run. */
  static final double SURPLUS = 1.1;

  /** Sites that are tried if the scheduler does not place the task where others have left. */
  private static final int MOST_TRIALS = 4;

  private static final Comparator<GpuHolder> LEAST_URGENT_FIRST =
      Comparator.comparingDouble((GpuHolder one) -> one.value() / one.gpus())
          .thenComparing(one -> one.group().tasks().get(0));

  private static final Comparator<GpuHolder> MOST_VALUABLE_FIRST =
      Comparator.comparingDouble((GpuHolder one) -> -one.value())
          .thenComparing(one -> one.group().tasks().get(0));

  /**
   * Who leaves for whom.
   *
   * @param leaving each of them is needed
   * @param nodes where the waiting task or gang will start
   */
  public record Exchange(List<PreemptibleTaskGroup> leaving, Set<String> nodes) {}

  /** A node. */
  private static final class Site {
    private final int position;
    private final NodeOffer offer;
    private final int freeGpus;
    private final List<GpuHolder> holders = new ArrayList<>();

    private Site(int position, NodeOffer offer) {
      this.position = position;
      this.offer = offer;
      int free = 0;
      for (DeviceOffer device : offer.devices()) {
        free += device.standing() == DeviceOffer.Standing.FREE && !device.slice() ? 1 : 0;
      }
      this.freeGpus = free;
    }
  }

  /** What is chosen for one waiting task or gang. */
  private static final class Choice {
    private final Set<GpuHolder> leaving = new LinkedHashSet<>();
    private final Map<Site, List<ResourceRequest>> members = new HashMap<>();

    private Choice with(Site site, ResourceRequest member, Collection<GpuHolder> more) {
      Choice next = new Choice();
      next.leaving.addAll(leaving);
      next.leaving.addAll(more);
      members.forEach((at, those) -> next.members.put(at, new ArrayList<>(those)));
      next.members.computeIfAbsent(site, any -> new ArrayList<>()).add(member);
      return next;
    }
  }

  private final Snapshot snapshot;
  private final VictimSearch.Capacity capacity;
  private final List<Site> sites = new ArrayList<>();
  private final Map<ResourceRequest, boolean[]> fits = new HashMap<>();
  private final int mostFree;

  /**
   * @param holders who may leave
   * @param excluded nodes whose places are promised to others
   * @param capacity what the nodes have free now, and would have without some tasks
   */
  public PlaceExchange(
      Snapshot snapshot,
      Collection<GpuHolder> holders,
      Set<String> excluded,
      VictimSearch.Capacity capacity) {
    this.snapshot = snapshot;
    this.capacity = capacity;
    Map<String, Site> byNode = new HashMap<>();
    int most = 0;
    for (NodeOffer offer : capacity.without(Set.of())) {
      if (offer.presence() == NodeOffer.Presence.READY && !excluded.contains(offer.node())) {
        Site site = new Site(sites.size(), offer);
        sites.add(site);
        byNode.put(offer.node(), site);
        most = Math.max(most, site.freeGpus);
      }
    }
    this.mostFree = most;
    for (GpuHolder holder : holders) {
      if (byNode.keySet().containsAll(holder.held().keySet())) {
        holder.held().keySet().forEach(node -> byNode.get(node).holders.add(holder));
      }
    }
    sites.forEach(site -> site.holders.sort(LEAST_URGENT_FIRST));
  }

  /**
   * Returns who leaves for a waiting task, or for all tasks of a gang; empty if nobody is to.
   *
   * @param waiting the task or gang as a class of its own, with its urgency
   */
  public Optional<Exchange> find(TaskClass waiting) {
    List<ResourceRequest> members = new ArrayList<>();
    int gpus = 0;
    for (TaskId task : waiting.tasks()) {
      ResourceRequest needs = waiting.key().needs(task);
      if (needs.gpus() == 0 || needs.gpuShare().isShared() || needs.bound() != null) {
        return Optional.empty(); // parts of GPUs, and tasks without, exchange no places
      }
      members.add(needs);
      gpus += needs.gpus();
    }
    double value = waiting.urgency() * gpus;
    Set<Site> refused = new HashSet<>();
    for (int trial = 0; value > 0 && trial < MOST_TRIALS; trial++) {
      Choice choice = choose(members, value, refused);
      if (choice == null || choice.leaving.isEmpty() || !pays(choice, value)) {
        return Optional.empty();
      }
      Exchange exchange = exchange(choice);
      if (starts(waiting, exchange)) {
        return Optional.of(exchange);
      }
      refused.addAll(choice.members.keySet());
    }
    return Optional.empty();
  }

  private boolean pays(Choice choice, double value) {
    return loss(choice.leaving, choice.members.keySet(), value) * SURPLUS < 1;
  }

  private static Exchange exchange(Choice choice) {
    Set<String> nodes = new LinkedHashSet<>();
    choice.members.keySet().forEach(site -> nodes.add(site.offer.node()));
    return new Exchange(choice.leaving.stream().map(GpuHolder::group).toList(), nodes);
  }

  /** Returns whether the scheduler itself starts them there. */
  private boolean starts(TaskClass waiting, Exchange exchange) {
    Set<Long> slots = new HashSet<>();
    exchange.leaving().forEach(group -> slots.addAll(group.slots()));
    Snapshot then = snapshot.over(capacity.without(slots));
    return VictimSearch.planOn(exchange.nodes(), then, List.of(waiting)).placements().size()
        == waiting.tasks().size();
  }

  /** Returns the places with the least loss, chosen for one member after the other; or null. */
  private Choice choose(List<ResourceRequest> members, double value, Set<Site> refused) {
    Choice choice = new Choice();
    for (ResourceRequest member : members) {
      Site best = null;
      List<GpuHolder> leaving = List.of();
      double least = Double.POSITIVE_INFINITY;
      for (Site site : sites) {
        List<GpuHolder> more = refused.contains(site) ? null : more(site, member, choice);
        if (more == null || leastLoss(more, value) >= least) {
          continue; // who moves where is the dear part of the search, and most sites need not ask
        }
        Set<Site> used = new HashSet<>(choice.members.keySet());
        used.add(site);
        double loss = loss(more, used, value);
        if (loss < least) {
          best = site;
          leaving = more;
          least = loss;
        }
      }
      if (best == null) {
        return null;
      }
      choice = choice.with(best, member, leaving);
    }
    return choice;
  }

  /** Returns who else has to leave a site for one more member; null if that is not enough. */
  private List<GpuHolder> more(Site site, ResourceRequest member, Choice choice) {
    long gpus = member.gpus() - site.freeGpus;
    long cpus = member.milliCpus() - site.offer.cpus().free();
    long memory = member.memory() - site.offer.memory().free();
    for (ResourceRequest other : choice.members.getOrDefault(site, List.of())) {
      gpus += other.gpus();
      cpus += other.milliCpus();
      memory += other.memory();
    }
    for (GpuHolder gone : choice.leaving) {
      GpuHolder.Held there = gone.held().get(site.offer.node());
      if (there != null) {
        gpus -= there.gpus();
        cpus -= there.milliCpus();
        memory -= there.memory();
      }
    }
    List<GpuHolder> more = new ArrayList<>();
    for (GpuHolder holder : site.holders) {
      if (gpus <= 0 && cpus <= 0 && memory <= 0) {
        break;
      }
      if (!choice.leaving.contains(holder)) {
        GpuHolder.Held there = holder.held().get(site.offer.node());
        gpus -= there.gpus();
        cpus -= there.milliCpus();
        memory -= there.memory();
        more.add(holder);
      }
    }
    if (gpus > 0 || cpus > 0 || memory > 0) {
      return null;
    }
    for (int i = more.size() - 1; i >= 0; i--) {
      GpuHolder.Held there = more.get(i).held().get(site.offer.node());
      if (gpus + there.gpus() <= 0
          && cpus + there.milliCpus() <= 0
          && memory + there.memory() <= 0) {
        gpus += there.gpus();
        cpus += there.milliCpus();
        memory += there.memory();
        more.remove(i);
      }
    }
    return more;
  }

  /** Returns what is lost at least, if all of them who could move find a place. */
  private static double leastLoss(Collection<GpuHolder> leaving, double value) {
    double loss = 0;
    for (GpuHolder holder : leaving) {
      double cost = cost(holder, value);
      double out = out(holder, value, cost);
      loss += holder.single() == null ? out : Math.min(out, MOVES * cost);
    }
    return loss;
  }

  private static double cost(GpuHolder holder, double value) {
    return holder.group().lostMillis() / 1000.0 * value;
  }

  private static double out(GpuHolder holder, double value, double cost) {
    return holder.value() / value * (1 + cost);
  }

  /** Returns the loss if these leave and do not return to the sites that are used. */
  private double loss(Collection<GpuHolder> leaving, Set<Site> used, double value) {
    int[] free = null;
    double loss = 0;
    List<GpuHolder> byValue = new ArrayList<>(leaving);
    byValue.sort(MOST_VALUABLE_FIRST);
    for (GpuHolder holder : byValue) {
      double cost = cost(holder, value);
      double out = out(holder, value, cost);
      double move = MOVES * cost;
      boolean small = holder.single() != null && holder.single().gpus() <= mostFree;
      if (move < out && small) {
        free = free == null ? freeBut(used) : free;
        int target = target(free, holder.single());
        if (target >= 0) {
          free[target] -= holder.single().gpus();
          out = move;
        }
      }
      loss += out;
    }
    return loss;
  }

  private int[] freeBut(Set<Site> used) {
    int[] free = new int[sites.size()];
    for (Site site : sites) {
      free[site.position] = used.contains(site) ? -1 : site.freeGpus;
    }
    return free;
  }

  /** Returns the fullest site where a task fits, or -1. */
  private int target(int[] free, ResourceRequest needs) {
    boolean[] fit = null;
    int best = -1;
    for (int i = 0; i < free.length; i++) {
      if (free[i] >= needs.gpus() && (best < 0 || free[i] < free[best])) {
        fit = fit == null ? fits(needs) : fit;
        best = fit[i] ? i : best;
      }
    }
    return best;
  }

  private boolean[] fits(ResourceRequest needs) {
    return fits.computeIfAbsent(
        needs,
        one -> {
          boolean[] fit = new boolean[sites.size()];
          for (Site site : sites) {
            fit[site.position] =
                site.freeGpus >= one.gpus()
                    && FitCheck.refusal(RemainingNodeCapacity.of(site.offer), one).isEmpty();
          }
          return fit;
        });
  }
}
