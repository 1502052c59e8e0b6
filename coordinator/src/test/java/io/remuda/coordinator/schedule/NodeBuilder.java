package io.remuda.coordinator.schedule;

import static io.remuda.coordinator.schedule.ScheduleSamples.NODE_CPUS;
import static io.remuda.coordinator.schedule.ScheduleSamples.NODE_MEMORY;

import io.remuda.coordinator.schedule.model.CountedResourceOffer;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import io.remuda.coordinator.schedule.model.NodeOffer.MachineOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Presence;
import io.remuda.coordinator.schedule.model.NodePause;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.SlotRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Builds the offer of a node. */
public final class NodeBuilder {
  private static final long NANOS_PER_MILLI = 1_000_000;

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
  private final List<SlotRelease> releases = new ArrayList<>();
  private NodePause pause;
  private int tasks;
  private final Map<String, Amount> counted = new TreeMap<>();
  private final Map<String, Amount> ofCluster = new TreeMap<>();

  NodeBuilder(String name, List<DeviceBuilder> devices) {
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

  /** A slot gives this back so many milliseconds after the snapshot; all slots are to be told. */
  public NodeBuilder releases(long millis, long milliCpus, String... uuids) {
    releases.add(
        new SlotRelease(
            0,
            0,
            OptionalLong.of(millis * NANOS_PER_MILLI),
            milliCpus,
            0,
            ScheduleSamples.ids(uuids)));
    return this;
  }

  /** A slot gives this back at a time that nobody knows. */
  public NodeBuilder keeps(long milliCpus, String... uuids) {
    releases.add(
        new SlotRelease(0, 0, OptionalLong.empty(), milliCpus, 0, ScheduleSamples.ids(uuids)));
    return this;
  }

  public NodeOffer offer() {
    List<DeviceOffer> offers = devices.stream().map(DeviceBuilder::offer).toList();
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
        offers,
        releases.isEmpty() ? NodeOffer.allInUse(cpus, memory, offers, clearsAt) : releases,
        pause,
        tasks,
        new CountedResourceOffer(counted, ofCluster));
  }

  public RemainingNodeCapacity capacity() {
    return RemainingNodeCapacity.of(offer());
  }
}
