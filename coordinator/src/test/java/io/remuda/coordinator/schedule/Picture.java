package io.remuda.coordinator.schedule;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.DeviceOffer.Standing;
import io.remuda.coordinator.schedule.model.Gang;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import io.remuda.coordinator.schedule.model.NodeOffer.Presence;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A scheduling cycle as a picture: {@code new Picture().node("n1", "A", "B").wants("1.0", 1)} and
 * then the placements, as {@code 1.0 on n1[A]}. Jobs are ann's and are placed in turn unless it is
 * said otherwise; a device has 80 of memory.
 */
final class Picture {
  private static final long PLENTY = 1L << 40;
  static final long DEVICE_MEMORY = 80;

  private final List<NodeOffer> nodes = new ArrayList<>();
  private final Map<TaskClass.SchedulingKey, TaskSet> lines = new LinkedHashMap<>();
  private final Map<JobId, String> lastNode = new HashMap<>();
  private final Map<String, Double> use = new HashMap<>();
  private final Map<String, Double> shares = new HashMap<>();
  private final Map<JobType, TaskId> measuring = new HashMap<>();
  private final TreeSet<TaskId> impatient = new TreeSet<>();
  private PlacementPolicy policy = PlacementPolicy.ROUND_ROBIN;
  private String user = "ann";
  private int priority;
  private long timeLimit;
  private boolean gang;
  private String type;
  private final Map<JobType, Map<JobType, Integer>> slow = new HashMap<>();

  static List<DeviceId> devices(String... uuids) {
    return Stream.of(uuids).map(DeviceId::new).toList();
  }

  /** A node as the scheduler sees it, with whole devices that are free or not. */
  static NodeOffer offer(
      String name,
      String machine,
      Presence presence,
      List<DeviceId> devices,
      List<DeviceId> free,
      Amount memory) {
    return new NodeOffer(
        name,
        machine,
        presence,
        Map.of("node", name),
        new Amount(PLENTY, PLENTY),
        memory,
        devices.stream()
            .map(
                id ->
                    new DeviceOffer(
                        id,
                        "NVIDIA H200",
                        DEVICE_MEMORY,
                        free.contains(id) ? DEVICE_MEMORY : 0,
                        free.contains(id) ? Standing.FREE : Standing.TAKEN))
            .toList(),
        OptionalLong.empty());
  }

  private static NodeOffer offer(
      String name, Presence presence, List<DeviceId> devices, List<DeviceId> free) {
    return offer(name, name, presence, devices, free, new Amount(PLENTY, PLENTY));
  }

  /** A node whose devices are all free. */
  Picture node(String name, String... uuids) {
    nodes.add(offer(name, Presence.READY, devices(uuids), devices(uuids)));
    return this;
  }

  /** A node without devices, one of a machine with so much memory left. */
  Picture nodeOf(String machine, String name, long freeMemory) {
    nodes.add(
        offer(name, machine, Presence.READY, List.of(), List.of(), new Amount(freeMemory, 1000)));
    return this;
  }

  /** A node with devices of which none is free. */
  Picture fullNode(String name, String... uuids) {
    nodes.add(offer(name, Presence.READY, devices(uuids), List.of()));
    return this;
  }

  Picture silentNode(String name, String... uuids) {
    nodes.add(offer(name, Presence.SILENT, devices(uuids), devices(uuids)));
    return this;
  }

  Picture drainedNode(String name, String... uuids) {
    nodes.add(offer(name, Presence.DRAINING, devices(uuids), devices(uuids)));
    return this;
  }

  /** A node with so many cores of which so many are free. */
  Picture cores(String name, double free, double total) {
    nodes.add(
        new NodeOffer(
            name,
            name,
            Presence.READY,
            Map.of("node", name),
            new Amount(Math.round(free * 1000), Math.round(total * 1000)),
            new Amount(PLENTY, PLENTY),
            List.of(),
            OptionalLong.empty()));
    return this;
  }

  /** The newest node's tasks will have ended by then. */
  Picture clearsIn(long millis) {
    NodeOffer last = nodes.get(nodes.size() - 1);
    return newest(last.devices(), OptionalLong.of(millis * 1_000_000));
  }

  /** The newest node is as it was, but for this. */
  private Picture newest(List<DeviceOffer> devices, OptionalLong clearsAt) {
    NodeOffer last = nodes.remove(nodes.size() - 1);
    nodes.add(
        new NodeOffer(
            last.node(),
            last.machine().id(),
            last.presence(),
            last.labels(),
            last.cpus(),
            last.memory(),
            devices,
            clearsAt));
    return this;
  }

  /** A node with a device of which so much is left for parts. */
  Picture sharedNode(String name, String uuid, long freeMemory) {
    nodes.add(
        new NodeOffer(
            name,
            name,
            Presence.READY,
            Map.of("node", name),
            new Amount(PLENTY, PLENTY),
            new Amount(PLENTY, PLENTY),
            List.of(
                new DeviceOffer(
                    new DeviceId(uuid),
                    "NVIDIA H200",
                    DEVICE_MEMORY,
                    freeMemory,
                    freeMemory == DEVICE_MEMORY ? Standing.FREE : Standing.SHARED)),
            OptionalLong.empty()));
    return this;
  }

  /** The last node has one more device, of which so much is left. */
  Picture alsoShares(String uuid, long freeMemory) {
    NodeOffer alone = sharedNode("", uuid, freeMemory).nodes.remove(nodes.size() - 1);
    NodeOffer last = nodes.get(nodes.size() - 1);
    List<DeviceOffer> devices = new ArrayList<>(last.devices());
    devices.addAll(alone.devices());
    return newest(devices, last.clearsAt(0));
  }

  /** The first device of the newest node has a task of that type, one of ann's. */
  Picture holds(String what) {
    List<DeviceOffer> devices = new ArrayList<>(nodes.get(nodes.size() - 1).devices());
    DeviceOffer first = devices.get(0);
    DeviceOffer.Load load = new DeviceOffer.Load(1, 0, 0, Set.of(new JobType("ann", what)));
    devices.set(
        0,
        new DeviceOffer(
            first.id(),
            first.model(),
            first.totalMemory(),
            first.freeMemory(),
            Standing.SHARED,
            load,
            Map.of()));
    return newest(devices, OptionalLong.empty());
  }

  /** Two types of ann's that together reach this percentage of the speed of one. */
  Picture slow(String one, String other, int percent) {
    JobType ones = new JobType("ann", one);
    JobType others = new JobType("ann", other);
    slow.computeIfAbsent(ones, any -> new HashMap<>()).put(others, percent);
    slow.computeIfAbsent(others, any -> new HashMap<>()).put(ones, percent);
    return this;
  }

  /** Sets the type of the following tasks. */
  Picture type(String which) {
    type = which;
    return this;
  }

  /** A process outside all tasks uses this much of each of the newest node's devices. */
  Picture inUseBy(long pid, long bytes) {
    NodeOffer last = nodes.get(nodes.size() - 1);
    return newest(
        last.devices().stream()
            .map(
                device ->
                    new DeviceOffer(
                        device.id(),
                        device.model(),
                        device.totalMemory(),
                        device.freeMemory(),
                        device.standing(),
                        device.load(),
                        Map.of(pid, bytes)))
            .toList(),
        last.clearsAt(0));
  }

  /** How the tasks that follow choose among nodes. */
  Picture by(PlacementPolicy how) {
    policy = how;
    return this;
  }

  /** Sets the user of the following tasks. */
  Picture of(String who) {
    user = who;
    return this;
  }

  /** How urgent the tasks that follow are. */
  Picture priority(int how) {
    priority = how;
    return this;
  }

  /** The tasks that follow end by themselves by then. */
  Picture limited(long millis) {
    timeLimit = millis;
    return this;
  }

  /** The tasks that follow start all together, those of each job. */
  Picture gangs() {
    gang = true;
    return this;
  }

  Picture used(String who, double seconds) {
    use.put(who, seconds);
    return this;
  }

  Picture share(String who, double share) {
    shares.put(who, share);
    return this;
  }

  Picture wants(String task, int gpus) {
    return wants(task, new ResourceRequest(0, gpus));
  }

  Picture wantsMemory(String task, long bytes) {
    return wants(task, new ResourceRequest(0, 0, bytes));
  }

  Picture wantsCores(String task, double cores) {
    return wants(task, new ResourceRequest(cores, 0));
  }

  Picture wantsGpuMemory(String task, int gpus, long bytes) {
    return wants(task, new ResourceRequest(0, gpus, 0, bytes, null, Map.of()));
  }

  Picture wants(String task, ResourceRequest needs) {
    TaskId id = TaskId.parse(task);
    lines.computeIfAbsent(key(id, needs), key -> new TaskSet()).add(id);
    return this;
  }

  private TaskClass.SchedulingKey key(TaskId id, ResourceRequest needs) {
    JobType own = type == null ? null : new JobType("ann", type);
    return new TaskClass.SchedulingKey(
        priority,
        user,
        needs,
        policy,
        timeLimit,
        gang ? new Gang(id.job(), false, List.of()) : null,
        own,
        false,
        null);
  }

  /** This task has waited for so long that room is kept for it. */
  Picture impatient(String task) {
    impatient.add(TaskId.parse(task));
    return this;
  }

  Picture last(long job, String node) {
    lastNode.put(new JobId(job), node);
    return this;
  }

  List<TaskClass> lines() {
    return lines.entrySet().stream()
        .map(
            line ->
                new TaskClass(
                    line.getKey(),
                    line.getValue(),
                    60,
                    impatient.contains(line.getValue().first())
                        ? TaskClass.Overtaking.REFUSED
                        : TaskClass.Overtaking.ALLOWED))
        .toList();
  }

  Plan plan() {
    return Scheduler.plan(new Snapshot(nodes, lastNode, use, shares, measuring, slow, 0), lines());
  }

  /** The placements, as {@code 1.0 on n1[A]}. */
  List<String> placed() {
    return plan().placements().stream()
        .map(placement -> placement.task() + " on " + placement.node() + placement.devices())
        .toList();
  }

  List<WaitReason> reasons(String task) {
    TaskId id = TaskId.parse(task);
    Plan plan = plan();
    return lines.entrySet().stream()
        .filter(line -> line.getValue().contains(id))
        .map(line -> plan.waiting().get(line.getKey()))
        .findFirst()
        .orElseThrow();
  }
}
