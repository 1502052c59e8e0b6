package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.registry.task.IndexedJobProperty;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.model.CountedResourceOffer;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.DeviceOffer.Standing;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import io.remuda.coordinator.schedule.model.NodeOffer.MachineOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Presence;
import io.remuda.coordinator.schedule.model.NodePause;
import io.remuda.coordinator.schedule.model.StrangerMemory;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Computes the nodes' offers for the scheduler from the resources promised to tasks and, for GPU
 * memory, the driver's readings.
 *
 * <p>Free memory of a device is its total less the memory that the driver reserves, less the memory
 * used by processes that belong to none of its tasks (including ended processes that the driver
 * still lists), and less, for each task that shares it, the larger of the promised and the used
 * memory. So memory is not promised twice while a framework takes seconds to allocate it, and the
 * driver's free memory alone is never trusted. Before the first reading a device offers no parts,
 * since its use is unknown. Memory that a program keeps after its lease counts as used by a foreign
 * process, except for that program itself.
 */
final class OfferBuilder {

  /** The use of a device by a task; its type is null if it has none. */
  private record DeviceUse(PlacedTask task, ResourceRequest needs, JobType type) {}

  /** What tasks were promised of a node, or of the nodes of a machine together. */
  private static final class Use {
    private long cpus;
    private long memory;

    /** What there is; of a machine the most that one of its agents knows of. */
    private long allCpus;

    private long allMemory;

    private final Map<String, Long> counted = new HashMap<>();

    private void count(ResourceRequest needs) {
      needs.nodeNeeds().counted().forEach((name, wanted) -> counted.merge(name, wanted, Long::sum));
    }

    /** Returns what is left of each of these resources. */
    private Map<String, Amount> left(Map<String, Long> all) {
      Map<String, Amount> left = new HashMap<>();
      all.forEach(
          (name, total) ->
              left.put(name, new Amount(total - counted.getOrDefault(name, 0L), total)));
      return left;
    }

    private void add(long moreCpus, long moreMemory) {
      cpus += moreCpus;
      memory += moreMemory;
    }

    private void has(long someCpus, long someMemory) {
      allCpus = Math.max(allCpus, someCpus);
      allMemory = Math.max(allMemory, someMemory);
    }

    private long freeCpus() {
      return allCpus - cpus;
    }

    private long freeMemory() {
      return allMemory - memory;
    }
  }

  private final TaskTable table;
  private final Map<DeviceId, OfferCache.HeldDevice> avoidUntil;
  private final long now;
  private final Map<String, List<PlacedTask>> tasks = new HashMap<>();
  private final Map<String, Set<Long>> slots = new HashMap<>();
  private final Map<String, Use> ofNode = new HashMap<>();
  private final Map<String, Use> ofMachine = new HashMap<>();
  private final Map<DeviceId, List<DeviceUse>> parts = new HashMap<>();
  private final Set<String> foreignDevices = new HashSet<>();

  /** Pids of tasks by machine: each of its nodes names only those of its own tasks. */
  private final Map<String, Set<Long>> ofTasks = new HashMap<>();

  /** Why devices are drained: on any node, also for others that see them. */
  private final Map<DeviceId, String> drained = new HashMap<>();

  /** Slots that count as free. */
  private final Set<Long> without;

  /** Tasks of these slots, by device: what they use of its memory counts as free. */
  private final Map<DeviceId, List<PlacedTask>> leaving = new HashMap<>();

  private OfferBuilder(
      TaskTable table,
      Map<DeviceId, OfferCache.HeldDevice> avoidUntil,
      Set<Long> without,
      long now) {
    this.table = table;
    this.avoidUntil = avoidUntil;
    this.without = without;
    this.now = now;
  }

  /**
   * Returns the nodes' offers.
   *
   * @param avoidUntil devices held by other processes, with the time to try again
   * @param without slots that count as free, as if their tasks had left
   */
  static List<NodeOffer> of(
      Collection<NodeRegistry.Node> nodes,
      TaskTable table,
      Map<DeviceId, OfferCache.HeldDevice> avoidUntil,
      Set<Long> without,
      long now) {
    OfferBuilder offerBuilder = new OfferBuilder(table, avoidUntil, without, now);
    nodes.forEach(offerBuilder::count);
    List<NodeOffer> all = new ArrayList<>(nodes.size());
    nodes.forEach(node -> all.add(offerBuilder.offer(node)));
    return all;
  }

  /**
   * Returns the offers with what is left of the counted resources of the cluster.
   *
   * @param totals amounts of the cluster's resources
   * @param without slots that count as free, as if their tasks had left
   */
  static List<NodeOffer> counting(
      List<NodeOffer> offers, TaskTable table, Map<String, Long> totals, Set<Long> without) {
    Use cluster = new Use();
    Set<Long> slots = new HashSet<>(without);
    for (JobId job : table.of(IndexedJobProperty.COUNTED)) {
      JobEntry entry = table.job(job);
      for (TaskRecord task = entry.nextLive(0);
          task != null;
          task = entry.nextLive(task.id().index() + 1)) {
        if (task instanceof PlacedTask placed && slots.add(placed.place().slot())) {
          cluster.count(table.needs(placed));
        }
      }
    }
    Map<String, Amount> left = cluster.left(totals);
    return offers.stream().map(one -> one.counting(one.counted().inCluster(left))).toList();
  }

  private void count(NodeRegistry.Node node) {
    Use own = ofNode.computeIfAbsent(node.name(), name -> new Use());
    Use machine = ofMachine.computeIfAbsent(node.machine().id(), id -> new Use());
    own.has(milli(node.host().cpusAllowed()), node.host().memAllowed());
    machine.has(milli(node.machine().cpus()), node.machine().memory());
    machine.has(own.allCpus, own.allMemory); // an agent may offer more than there is
    List<PlacedTask> here = staying(node);
    tasks.put(node.name(), here);
    Set<Long> slots = new HashSet<>();
    this.slots.put(node.name(), slots);
    drained.putAll(node.drainedDevices());
    ofTasks
        .computeIfAbsent(node.machine().id(), id -> new HashSet<>())
        .addAll(StrangerMemory.pidsOfTasks(node.readings().values()));
    for (TaskReport foreign : node.foreign()) {
      own.add(foreign.facts().milliCpus(), foreign.facts().memory());
      machine.add(foreign.facts().milliCpus(), foreign.facts().memory());
      foreignDevices.addAll(foreign.facts().devices());
    }
    for (PlacedTask task : here) {
      if (!slots.add(task.place().slot())) {
        continue; // later tasks of a slot use its resources afterwards
      }
      ResourceRequest needs = table.needs(task);
      own.add(needs.milliCpus(), needs.memory());
      own.count(needs);
      machine.add(needs.milliCpus(), needs.memory());
      if (!task.place().devices().isEmpty()) {
        DeviceUse part = new DeviceUse(task, needs, TaskNeeds.type(table.spec(task)).orElse(null));
        task.place()
            .devices()
            .forEach(device -> parts.computeIfAbsent(device, id -> new ArrayList<>()).add(part));
      }
    }
  }

  /** Returns the tasks of a node, without those that count as gone. */
  private List<PlacedTask> staying(NodeRegistry.Node node) {
    if (without.isEmpty()) {
      return table.at(node.name());
    }
    List<PlacedTask> staying = new ArrayList<>();
    for (PlacedTask task : table.at(node.name())) {
      if (!without.contains(task.place().slot())) {
        staying.add(task);
        continue;
      }
      task.place()
          .devices()
          .forEach(device -> leaving.computeIfAbsent(device, id -> new ArrayList<>()).add(task));
    }
    return staying;
  }

  private NodeOffer offer(NodeRegistry.Node node) {
    Use own = ofNode.get(node.name());
    Use machine = ofMachine.get(node.machine().id());
    Set<DeviceId> unhealthy = node.unhealthy();
    List<DeviceOffer> devices = new ArrayList<>();
    for (DeviceInfo device : node.devices()) {
      DeviceSample reading = node.readings().get(device.id());
      DeviceOffer offer = device(device, reading, unhealthy);
      offer = offer.usedBy(strangers(node, offer, reading));
      boolean slice = device.mig() != null && !Boolean.TRUE.equals(node.machine().slicesToo());
      offer = slice ? offer.asSlice() : offer;
      String why = drained.get(device.id());
      devices.add(why == null ? offer : offer.draining(why));
    }
    return new NodeOffer(
        node.name(),
        new MachineOffer(
            node.machine().id(),
            new Amount(machine.freeCpus(), machine.allCpus),
            new Amount(machine.freeMemory(), machine.allMemory)),
        presence(node),
        node.labels(),
        new Amount(Math.min(own.freeCpus(), machine.freeCpus()), own.allCpus),
        new Amount(Math.min(own.freeMemory(), machine.freeMemory()), own.allMemory),
        devices,
        SlotReleases.of(tasks.get(node.name()), table),
        pause(node),
        slots.get(node.name()).size(),
        new CountedResourceOffer(own.left(node.counted()), Map.of()));
  }

  private static long milli(double cpus) {
    return Math.round(cpus * 1000);
  }

  private static Presence presence(NodeRegistry.Node node) {
    if (!node.reachable()) {
      return Presence.SILENT;
    }
    if (node.draining()) {
      return Presence.DRAINING;
    }
    return node.standstill() == null ? Presence.READY : Presence.PAUSED;
  }

  private static NodePause pause(NodeRegistry.Node node) {
    if (node.draining()) {
      String why = node.drain().reason();
      return why.isEmpty() ? null : new NodePause.Drained(why);
    }
    return node.reachable() ? node.standstill() : null;
  }

  private DeviceOffer device(DeviceInfo device, DeviceSample reading, Set<DeviceId> unhealthy) {
    List<DeviceUse> shares = parts.getOrDefault(device.id(), List.of());
    long total = device.memoryTotalBytes() - kept(reading);
    List<PlacedTask> gone = leaving.getOrDefault(device.id(), List.of());
    long freed = reading == null ? 0 : gone.stream().mapToLong(one -> measured(one, reading)).sum();
    long left = reading == null ? 0 : total - promised(shares, total, reading, freed);
    return new DeviceOffer(
        device.id(),
        device.name(),
        total,
        Math.max(0, left),
        standing(device, shares, unhealthy),
        load(shares),
        ownMemory(shares, left, reading),
        isAvoided(device) ? avoidUntil.get(device.id()).by() : null);
  }

  /** Returns what strangers use of a device; of one that a task has whole, nothing. */
  private StrangerMemory strangers(
      NodeRegistry.Node node, DeviceOffer device, DeviceSample reading) {
    Long told = node.machine().strangerMemory();
    long tolerated = told == null ? StrangerMemory.USUALLY_TOLERATED : told;
    if (reading == null || device.standing() == Standing.TAKEN) {
      boolean known = reading != null || told == null || told == Long.MAX_VALUE;
      return known ? StrangerMemory.NONE : StrangerMemory.UNREAD;
    }
    boolean lent = device.standing() != Standing.FREE || leaving.containsKey(device.id());
    Set<Long> own = ofTasks.getOrDefault(node.machine().id(), Set.of());
    return StrangerMemory.of(reading, device.totalMemory(), tolerated, lent, own);
  }

  private boolean isAvoided(DeviceInfo device) {
    OfferCache.HeldDevice held = avoidUntil.get(device.id());
    return held != null && held.until() - now > 0;
  }

  /**
   * Returns, by foreign process, the bytes that would also be free for it: its own memory, if its
   * program asks for a lease on the device.
   */
  private static Map<Long, Long> ownMemory(
      List<DeviceUse> shares, long left, DeviceSample reading) {
    if (reading == null || reading.processes() == null || reading.processes().isEmpty()) {
      return Map.of();
    }
    Set<String> tenants = new HashSet<>();
    shares.forEach(part -> tenants.add(part.task().attemptId().toString()));
    Map<Long, Long> own = new HashMap<>();
    for (DeviceProcess process : reading.processes()) {
      if (process.memBytes() != null && !tenants.contains(process.task())) {
        own.put(process.pid(), Math.max(0, left + process.memBytes()) - Math.max(0, left));
      }
    }
    return own;
  }

  private static DeviceOffer.Load load(List<DeviceUse> shares) {
    DeviceOffer.Load load = DeviceOffer.Load.NONE;
    for (DeviceUse part : shares) {
      load = load.plus(part.needs(), part.type());
    }
    return load;
  }

  private static long kept(DeviceSample reading) {
    return reading == null || reading.memReserved() == null ? 0 : reading.memReserved();
  }

  private Standing standing(DeviceInfo device, List<DeviceUse> shares, Set<DeviceId> unhealthy) {
    boolean whole = shares.stream().anyMatch(part -> !part.needs().gpuShare().isShared());
    if (whole || foreignDevices.contains(device.id().uuid())) {
      return Standing.TAKEN;
    }
    if (isAvoided(device) || unhealthy.contains(device.id())) {
      return Standing.UNFIT;
    }
    return shares.isEmpty() ? Standing.FREE : Standing.SHARED;
  }

  private static long promised(
      List<DeviceUse> shares, long total, DeviceSample reading, long freed) {
    long used = reading.memUsed() == null ? 0 : reading.memUsed() - freed;
    long promised = 0;
    for (DeviceUse part : shares) {
      long measured = measured(part.task(), reading);
      long share =
          part.needs().gpuShare().isShared() ? part.needs().gpuShare().partOf(total) : total;
      promised += Math.max(share, measured);
      used -= measured;
    }
    return promised + Math.max(0, used);
  }

  private static long measured(PlacedTask task, DeviceSample reading) {
    if (reading.processes() == null || reading.processes().isEmpty()) {
      return 0;
    }
    String attempt = task.attemptId().toString();
    long sum = 0;
    for (DeviceProcess process : reading.processes()) {
      if (process.memBytes() != null && attempt.equals(process.task())) {
        sum += process.memBytes();
      }
    }
    return sum;
  }
}
