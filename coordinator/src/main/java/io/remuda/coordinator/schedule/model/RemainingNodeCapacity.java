package io.remuda.coordinator.schedule.model;

import io.remuda.coordinator.profile.JobType;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The remaining capacity of a node while a plan is made: its offer less the plan's placements so
 * far. Nodes of one machine share its CPUs, its memory, and the devices that they both see.
 */
public final class RemainingNodeCapacity {

  private final NodeOffer offer;
  private final RemainingMachineCapacity machine;
  private final RemainingCountedResources cluster;
  private final RemainingOwnCapacity own;
  private final List<DeviceCapacity> devices;

  /** Whether strangers use a device; null until somebody asks. */
  private Boolean crowded;

  private Boolean shared;

  RemainingNodeCapacity(
      NodeOffer offer,
      RemainingMachineCapacity machine,
      RemainingCountedResources cluster,
      List<DeviceCapacity> devices) {
    this(offer, machine, cluster, new RemainingOwnCapacity(offer), devices);
  }

  private RemainingNodeCapacity(
      NodeOffer offer,
      RemainingMachineCapacity machine,
      RemainingCountedResources cluster,
      RemainingOwnCapacity own,
      List<DeviceCapacity> devices) {
    this.offer = offer;
    this.machine = machine;
    this.cluster = cluster;
    this.own = own;
    this.devices = devices;
  }

  private boolean isCrowded() {
    if (crowded == null) {
      crowded = devices.stream().anyMatch(DeviceCapacity::isCrowded);
    }
    return crowded;
  }

  /** Creates the capacity of a node that shares nothing with other nodes. */
  public static RemainingNodeCapacity of(NodeOffer offer) {
    return RemainingClusterCapacity.of(List.of(offer)).get(offer.node());
  }

  /** Returns whether tasks of other nodes change this one: on its machine, or on its devices. */
  public boolean isShared() {
    if (shared == null) {
      shared = machine.isShared() || devices.stream().anyMatch(DeviceCapacity::isShared);
    }
    return shared;
  }

  /** Returns the node's offer before the plan. */
  public NodeOffer offer() {
    return offer;
  }

  public String name() {
    return offer.node();
  }

  /** Returns a number above 0 that only this node and its views have, in this process. */
  public long generation() {
    return own.generation;
  }

  /**
   * Returns a number that changes when something is taken or kept. A {@linkplain #restore restored}
   * state has the number that it had, so that what is known of it still holds: most gangs that wait
   * are tried in vain.
   */
  public int version() {
    return own.version;
  }

  /**
   * Returns, for each device, twice the bytes that tasks may take, plus 1 if it may be lent whole.
   */
  public long[] freeOfDevices() {
    long[] free = new long[devices.size()];
    for (int i = 0; i < free.length; i++) {
      DeviceCapacity device = devices.get(i);
      free[i] = 2 * (device.takesParts() ? device.freeMemory() : 0) + (device.isFree() ? 1 : 0);
    }
    return free;
  }

  /** Returns the offer of a device, by its place in {@link #freeOfDevices}. */
  public DeviceOffer deviceOffer(int index) {
    return devices.get(index).offer();
  }

  /** Returns the first device with this model, memory, and {@link #freeOfDevices}. */
  public Optional<DeviceId> deviceWith(String model, long memory, long free) {
    long[] has = freeOfDevices();
    for (int i = 0; i < has.length; i++) {
      DeviceOffer device = devices.get(i).offer();
      if (has[i] == free && device.totalMemory() == memory && device.model().equals(model)) {
        return Optional.of(device.id());
      }
    }
    return Optional.empty();
  }

  /** Returns whether the node is below the maximum number of tasks. */
  public boolean takesMore() {
    return own.slots > 0;
  }

  /** Returns whether the plan has placed a task on this node, and has not taken it back. */
  public boolean hasPlacements() {
    return own.slots < own.slotsBefore;
  }

  /** Returns the free thousandths of a core. */
  public long freeCpus() {
    return Math.min(own.freeCpus, machine.freeCpus());
  }

  /** Returns the free memory of the machine in bytes. */
  public long freeMemory() {
    return Math.min(own.freeMemory, machine.freeMemory());
  }

  /** Returns whether a counted resource is one of the cluster, which all nodes share. */
  public boolean countsInCluster(String resource) {
    return cluster.has(resource);
  }

  /** Returns how much of a counted resource is left, of the cluster's or else of the node's. */
  public long freeCounted(String resource) {
    return cluster.has(resource) ? cluster.free(resource) : own.counted.free(resource);
  }

  /**
   * Counts the GPUs of the model that may be lent whole; null for any model. Slices of GPUs count
   * only if the model asks for slices.
   */
  public int wholeGpus(String model) {
    int count = 0;
    for (DeviceCapacity device : devices) {
      if (device.isFree() && device.isKind(model) && device.isModel(model)) {
        count++;
      }
    }
    return count;
  }

  /** Counts the devices that a task may have if they are idle. */
  public int gpusOf(ResourceRequest needs) {
    int count = 0;
    for (DeviceCapacity device : devices) { // no lambda: this runs for each node of each plan
      if (device.offer().isWanted(needs)) {
        count++;
      }
    }
    return count;
  }

  /** Counts the devices that a task can have now, or parts of them. */
  public int gpusTaking(ResourceRequest needs) {
    int count = 0;
    for (DeviceCapacity device : devices) { // the cheaper question first: most devices are lent
      if (device.takes(needs) && device.offer().isWanted(needs)) {
        count++;
      }
    }
    return count;
  }

  /**
   * Returns whether the task can have devices that no stranger uses, and none of {@code others}.
   *
   * @param others devices that it should not have
   */
  public boolean hasGoodGpusFor(ResourceRequest needs, Set<DeviceId> others) {
    return others.isEmpty() && !isCrowded()
        || count(
                needs,
                device ->
                    !device.isCrowded()
                        && !others.contains(device.offer().id())
                        && device.takes(needs))
            >= needs.gpus();
  }

  /** Returns a view of the node without devices that strangers use, and without these. */
  public RemainingNodeCapacity withGoodGpus(Set<DeviceId> others) {
    return others.isEmpty() && !isCrowded()
        ? this
        : new RemainingNodeCapacity(
            offer,
            machine,
            cluster,
            own,
            devices.stream()
                .filter(one -> !one.isCrowded() && !others.contains(one.offer().id()))
                .toList());
  }

  /** Counts the suitable devices that have enough memory for a task's part. */
  public int gpusWithMemoryFor(ResourceRequest needs) {
    return count(needs, device -> device.hasMemoryFor(needs));
  }

  /** Counts those of {@link #gpusWithMemoryFor} below their {@code perGpu} limit. */
  public int gpusNotFullFor(ResourceRequest needs) {
    return count(needs, device -> device.hasMemoryFor(needs) && !device.load().isFullFor(needs));
  }

  /** Returns which of these devices the node has, but without capacity for the task. */
  public List<DeviceId> gpusWithoutRoom(ResourceRequest needs, List<DeviceId> wanted) {
    Set<DeviceId> withRoom = new HashSet<>();
    for (DeviceCapacity device : devices) {
      if (device.takes(needs)) {
        withRoom.add(device.offer().id());
      }
    }
    return offer.devices().stream() // a view of this node may lack some of them
        .map(DeviceOffer::id)
        .filter(device -> wanted.contains(device) && !withRoom.contains(device))
        .toList();
  }

  /** Makes these devices unavailable in this plan. */
  public void keep(List<DeviceId> kept) {
    own.isChanged();
    for (DeviceCapacity device : devices) {
      if (kept.contains(device.offer().id())) {
        device.keep();
      }
    }
  }

  /** Returns a view of the node as it would be had {@link #keep} not been called. */
  public RemainingNodeCapacity withKeptDevices() {
    return new RemainingNodeCapacity(
        offer, machine, cluster, own, devices.stream().map(DeviceCapacity::unreserved).toList());
  }

  /** Counts the devices of which a task can have a part. */
  public int gpusFor(ResourceRequest needs) {
    return count(needs, device -> device.takesPart(needs));
  }

  private int count(ResourceRequest needs, Predicate<DeviceCapacity> fits) {
    int count = 0;
    for (DeviceCapacity device : devices) {
      if (device.offer().isWanted(needs) && fits.test(device)) {
        count++;
      }
    }
    return count;
  }

  /** Returns the types of the tasks on devices of which a task can have a part. */
  public Set<JobType> typesBeside(ResourceRequest needs) {
    Set<JobType> types = new HashSet<>();
    for (DeviceCapacity device : devices) {
      if (device.offer().isWanted(needs) && device.takesPart(needs)) {
        types.addAll(device.load().types());
      }
    }
    return types;
  }

  /**
   * Returns a view of the node without the devices that have tasks of these types. Capacity taken
   * from the view is also taken from this node.
   */
  public RemainingNodeCapacity apartFrom(Set<JobType> types) {
    if (types.isEmpty()) {
      return this;
    }
    return new RemainingNodeCapacity(
        offer,
        machine,
        cluster,
        own,
        devices.stream().filter(device -> device.isApartFrom(types)).toList());
  }

  /**
   * Returns the smallest number of bytes that a device has left after the task has its part; {@code
   * Long.MAX_VALUE} if no device takes it.
   */
  public long leastLeftBy(ResourceRequest needs) {
    long least = Long.MAX_VALUE;
    for (DeviceCapacity device : devices) {
      if (device.offer().isWanted(needs) && device.takesPart(needs)) {
        least = Math.min(least, device.left(needs));
      }
    }
    return least;
  }

  /**
   * Returns how many tasks are on the fullest of the devices that a task gets if it takes those
   * with the fewest; 0 if too few take it.
   */
  public int tasksBeside(ResourceRequest needs) {
    int[] tasks =
        devices.stream()
            .filter(device -> device.offer().isWanted(needs) && device.takes(needs))
            .mapToInt(device -> device.load().tasks())
            .sorted()
            .toArray();
    return needs.gpus() == 0 || tasks.length < needs.gpus() ? 0 : tasks[needs.gpus() - 1];
  }

  /** Returns the largest free memory in bytes of the task's devices that may be shared. */
  public long mostFreeGpuMemory(ResourceRequest needs) {
    long most = 0;
    for (DeviceCapacity device : devices) { // not a stream: this runs for each node that refuses
      if (device.takesParts() && device.offer().isWanted(needs)) {
        most = Math.max(most, device.freeMemory());
      }
    }
    return most;
  }

  /** Returns the size in bytes of the largest device that the task may have. */
  public long largestGpu(ResourceRequest needs) {
    long largest = 0;
    for (DeviceCapacity device : devices) {
      if (device.offer().isWanted(needs)) {
        largest = Math.max(largest, device.offer().totalMemory());
      }
    }
    return largest;
  }

  /** Returns the free bytes of all devices that may be shared. */
  public long freeGpuMemory() {
    long free = 0;
    for (DeviceCapacity device : devices) {
      if (device.takesParts()) {
        free += device.freeMemory();
      }
    }
    return free;
  }

  /**
   * Takes a task's resources, after the filters have found that it fits.
   *
   * @param type its type, or null
   * @param order order in which devices are taken
   * @return the devices lent to it
   */
  public List<DeviceId> take(
      ResourceRequest needs, JobType type, Comparator<DeviceCapacity> order) {
    own.isChanged();
    own.slots--;
    own.freeCpus -= needs.milliCpus();
    own.freeMemory -= needs.memory();
    machine.take(needs);
    cluster.take(needs.nodeNeeds());
    own.counted.take(needs.nodeNeeds());
    List<DeviceId> lent = new ArrayList<>();
    List<DeviceCapacity> fit = new ArrayList<>();
    for (DeviceCapacity device : devices) {
      if (device.offer().isWanted(needs) && device.takes(needs)) {
        fit.add(device);
      }
    }
    fit.sort(order);
    for (DeviceCapacity device : fit.subList(0, needs.gpus())) {
      lent.add(device.offer().id());
      device.take(needs, type);
    }
    return lent;
  }

  /** Keeps the node's order of devices. */
  public static Comparator<DeviceCapacity> byIndex() {
    return (one, other) -> 0; // the sort is stable
  }

  public NodeCheckpoint remember() {
    return new NodeCheckpoint(
        own.version,
        own.slots,
        own.freeCpus,
        own.freeMemory,
        machine.freeCpus(),
        machine.freeMemory(),
        own.counted.remember(),
        cluster.remember(),
        devices.stream().map(DeviceCapacity::remember).toList());
  }

  public void restore(NodeCheckpoint before) {
    own.version = before.version();
    own.slots = before.slots();
    own.freeCpus = before.ownCpus();
    own.freeMemory = before.ownMemory();
    machine.restore(before.freeCpus(), before.freeMemory());
    own.counted.restore(before.counted());
    cluster.restore(before.ofCluster());
    for (int i = 0; i < devices.size(); i++) {
      devices.get(i).restore(before.devices().get(i));
    }
  }
}
