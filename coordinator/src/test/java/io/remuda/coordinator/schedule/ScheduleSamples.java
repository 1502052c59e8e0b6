package io.remuda.coordinator.schedule;

import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.schedule.model.CountedOffer;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.DeviceOffer.Standing;
import io.remuda.coordinator.schedule.model.Gang;
import io.remuda.coordinator.schedule.model.NodeCapacity;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import io.remuda.coordinator.schedule.model.NodeOffer.MachineOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Presence;
import io.remuda.coordinator.schedule.model.NodePause;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskClass.Overtaking;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.BoundProcess;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.NodeNeeds;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Builders for the inputs of the scheduler. Unless a test says otherwise a node is ready and empty
 * with 4 cores and {@value #NODE_MEMORY} bytes, a device is a free H200 with {@value
 * #DEVICE_MEMORY} bytes, a task needs nothing, and a task class has one task of ann's.
 */
public final class ScheduleSamples {
  public static final long NODE_CPUS = 4000;
  public static final long NODE_MEMORY = 1000;

  /** Of these {@link ResourceRequest#nearlyAll} is 96. */
  public static final long DEVICE_MEMORY = 100;

  public static final String H200 = "NVIDIA H200";
  public static final long PID = 4711;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private ScheduleSamples() {}

  public static NodeBuilder node(String name, DeviceBuilder... devices) {
    return new NodeBuilder(name, List.of(devices));
  }

  public static DeviceBuilder device(String uuid) {
    return new DeviceBuilder(uuid);
  }

  public static NeedsBuilder needs() {
    return new NeedsBuilder();
  }

  /** Tasks {@code job.0}, {@code job.1} and so on. */
  public static LineBuilder tasks(long job, int count) {
    return new LineBuilder(job, count);
  }

  /** A type of ann's. */
  public static JobType type(String name) {
    return new JobType("ann", name);
  }

  public static List<DeviceId> ids(String... uuids) {
    return Stream.of(uuids).map(DeviceId::new).toList();
  }

  /** The line that a user reads for a reason. */
  public static String text(WaitReason reason) {
    return WaitText.lines(List.of(reason)).get(0);
  }

  /** Builds the offer of a device. */
  public static final class DeviceBuilder {
    private final DeviceId id;
    private String model = H200;
    private long total = DEVICE_MEMORY;
    private long free = DEVICE_MEMORY;
    private Standing standing = Standing.FREE;
    private DeviceOffer.Load load = DeviceOffer.Load.NONE;
    private Map<Long, Long> own = Map.of();
    private String heldBy;

    private DeviceBuilder(String uuid) {
      id = new DeviceId(uuid);
    }

    public DeviceBuilder model(String name) {
      model = name;
      return this;
    }

    public DeviceBuilder memory(long freeBytes, long totalBytes) {
      free = freeBytes;
      total = totalBytes;
      return this;
    }

    /** It is not in use, but has only so many bytes free. */
    public DeviceBuilder free(long bytes) {
      free = bytes;
      return this;
    }

    /** Tasks share it and leave so many bytes. */
    public DeviceBuilder shared(long freeBytes) {
      free = freeBytes;
      standing = Standing.SHARED;
      load = load.tasks() > 0 ? load : new DeviceOffer.Load(1, 0, 0, Set.of());
      return this;
    }

    public DeviceBuilder taken() {
      free = 0;
      standing = Standing.TAKEN;
      return this;
    }

    public DeviceBuilder unfit() {
      standing = Standing.UNFIT;
      return this;
    }

    /** A process outside all tasks holds it. */
    public DeviceBuilder heldBy(String process) {
      heldBy = process;
      return unfit();
    }

    public DeviceBuilder load(int tasks, int mostTasks, int percent, JobType... types) {
      load = new DeviceOffer.Load(tasks, mostTasks, percent, Set.of(types));
      standing = tasks > 0 ? Standing.SHARED : standing;
      return this;
    }

    /** The process {@link #PID}, which belongs to no task on it, uses so many of its bytes. */
    public DeviceBuilder own(long bytes) {
      own = Map.of(PID, bytes);
      return this;
    }

    public DeviceOffer offer() {
      return new DeviceOffer(id, model, total, free, standing, load, own, heldBy);
    }
  }

  /** Builds the offer of a node. */
  public static final class NodeBuilder {
    private final String name;
    private final List<DeviceBuilder> devices;
    private final Map<String, String> labels = new TreeMap<>();
    private String machine;
    private Presence presence = Presence.READY;
    private Amount cpus = new Amount(NODE_CPUS, NODE_CPUS);
    private Amount memory = new Amount(NODE_MEMORY, NODE_MEMORY);
    private Amount machineCpus;
    private Amount machineMemory;
    private OptionalLong clearsAt = OptionalLong.empty();
    private NodePause pause;
    private int tasks;
    private final Map<String, Amount> counted = new TreeMap<>();
    private final Map<String, Amount> ofCluster = new TreeMap<>();

    private NodeBuilder(String name, List<DeviceBuilder> devices) {
      this.name = name;
      this.machine = name;
      this.devices = devices;
    }

    public NodeBuilder machine(String id) {
      machine = id;
      return this;
    }

    /** Its machine has other amounts free than the node itself. */
    public NodeBuilder machine(String id, Amount cpusOfMachine, Amount memoryOfMachine) {
      machineCpus = cpusOfMachine;
      machineMemory = memoryOfMachine;
      return machine(id);
    }

    public NodeBuilder presence(Presence which) {
      presence = which;
      return this;
    }

    public NodeBuilder paused(NodePause why) {
      pause = why;
      return presence(Presence.PAUSED);
    }

    public NodeBuilder label(String key, String value) {
      labels.put(key, value);
      return this;
    }

    /** In thousandths of a core. */
    public NodeBuilder cpus(long free, long total) {
      cpus = new Amount(free, total);
      return this;
    }

    public NodeBuilder memory(long free, long total) {
      memory = new Amount(free, total);
      return this;
    }

    public NodeBuilder counted(String resource, long free, long total) {
      counted.put(resource, new Amount(free, total));
      return this;
    }

    /** What all nodes share; to be given to each of them. */
    public NodeBuilder ofCluster(String resource, long free, long total) {
      ofCluster.put(resource, new Amount(free, total));
      return this;
    }

    public NodeBuilder slotsInUse(int count) {
      tasks = count;
      return this;
    }

    /** Its tasks will have ended so many milliseconds after the snapshot. */
    public NodeBuilder clearsIn(long millis) {
      clearsAt = OptionalLong.of(millis * NANOS_PER_MILLI);
      return this;
    }

    public NodeOffer offer() {
      return new NodeOffer(
          name,
          new MachineOffer(
              machine,
              machineCpus == null ? cpus : machineCpus,
              machineMemory == null ? memory : machineMemory),
          presence,
          labels,
          cpus,
          memory,
          devices.stream().map(DeviceBuilder::offer).toList(),
          clearsAt,
          pause,
          tasks,
          new CountedOffer(counted, ofCluster));
    }

    public NodeCapacity capacity() {
      return NodeCapacity.of(offer());
    }
  }

  /** Builds what a task needs. */
  public static final class NeedsBuilder {
    private double cpus;
    private int gpus;
    private long memory;
    private long gpuMemory;
    private String model;
    private final Map<String, String> labels = new TreeMap<>();
    private int perGpu;
    private int percent;
    private BoundProcess bound;
    private final SortedSet<String> only = new TreeSet<>();
    private final SortedSet<String> except = new TreeSet<>();
    private final SortedMap<String, Long> counted = new TreeMap<>();

    private NeedsBuilder() {}

    public NeedsBuilder cpus(double cores) {
      cpus = cores;
      return this;
    }

    public NeedsBuilder memory(long bytes) {
      memory = bytes;
      return this;
    }

    /** Whole devices, unless {@link #gpuMemory} or {@link #perGpu} follows. */
    public NeedsBuilder gpus(int count) {
      gpus = count;
      return this;
    }

    public NeedsBuilder gpuMemory(long bytes) {
      gpuMemory = bytes;
      return this;
    }

    public NeedsBuilder model(String part) {
      model = part;
      return this;
    }

    public NeedsBuilder label(String key, String value) {
      labels.put(key, value);
      return this;
    }

    public NeedsBuilder perGpu(int most) {
      perGpu = most;
      return this;
    }

    public NeedsBuilder percent(int utilisation) {
      percent = utilisation;
      return this;
    }

    public NeedsBuilder only(String... nodes) {
      only.addAll(List.of(nodes));
      return this;
    }

    public NeedsBuilder except(String... nodes) {
      except.addAll(List.of(nodes));
      return this;
    }

    public NeedsBuilder counted(String resource, long amount) {
      counted.put(resource, amount);
      return this;
    }

    /** The process {@link #PID} can use these devices only. */
    public NeedsBuilder bound(String... uuids) {
      gpus = uuids.length;
      bound = new BoundProcess(PID, ids(uuids));
      return this;
    }

    public ResourceRequest request() {
      return new ResourceRequest(
          cpus,
          gpus,
          memory,
          gpuMemory,
          model,
          labels,
          perGpu,
          percent,
          bound,
          new NodeNeeds(only, except, counted));
    }
  }

  /** Builds a task class. */
  public static final class LineBuilder {
    private final JobId job;
    private final TaskSet tasks = new TaskSet();
    private int priority;
    private String user = "ann";
    private ResourceRequest needs = needs().request();
    private PlacementPolicy policy = PlacementPolicy.PACK;
    private long timeLimit;
    private boolean gang;
    private JobType type;
    private boolean again;
    private double charge = 1;
    private Overtaking overtaking = Overtaking.ALLOWED;

    private LineBuilder(long job, int count) {
      this.job = new JobId(job);
      tasks.add(this.job, 0, count);
    }

    public LineBuilder priority(int value) {
      priority = value;
      return this;
    }

    public LineBuilder of(String name) {
      user = name;
      return this;
    }

    public LineBuilder need(NeedsBuilder what) {
      needs = what.request();
      return this;
    }

    public LineBuilder by(PlacementPolicy which) {
      policy = which;
      return this;
    }

    public LineBuilder limitMillis(long millis) {
      timeLimit = millis;
      return this;
    }

    /** Its tasks start all together. */
    public LineBuilder gang() {
      gang = true;
      return this;
    }

    public LineBuilder type(JobType which) {
      type = which;
      return this;
    }

    /** Its tasks have run out of memory before. */
    public LineBuilder again() {
      again = true;
      return this;
    }

    public LineBuilder charge(double eachTask) {
      charge = eachTask;
      return this;
    }

    /** Capacity is reserved for it if it does not fit. */
    public LineBuilder impatient() {
      overtaking = Overtaking.REFUSED;
      return this;
    }

    public TaskClass.SchedulingKey key() {
      Gang whole = gang ? new Gang(job, false, List.of()) : null;
      return new TaskClass.SchedulingKey(
          priority, user, needs, policy, timeLimit, whole, type, again, null);
    }

    public TaskClass line() {
      return new TaskClass(key(), tasks, charge, overtaking);
    }
  }
}
