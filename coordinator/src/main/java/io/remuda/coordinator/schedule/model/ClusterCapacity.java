package io.remuda.coordinator.schedule.model;

import io.remuda.telemetry.model.DeviceId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The remaining capacity of all nodes while a plan is made. */
public final class ClusterCapacity {

  private final Map<String, NodeCapacity> rooms = new LinkedHashMap<>();
  private final Map<String, MachineCapacity> machines = new HashMap<>();
  private final Map<DeviceId, DeviceCapacity> devices = new HashMap<>();

  private final CountedResourceCapacity counted = new CountedResourceCapacity();

  private ClusterCapacity() {}

  /** Creates the capacity of these nodes, in the natural order of their names. */
  public static ClusterCapacity of(List<NodeOffer> offers) {
    List<NodeOffer> sorted = new ArrayList<>(offers);
    sorted.sort(Comparator.comparing(NodeOffer::node, NodeNameOrder.ORDER));
    ClusterCapacity map = new ClusterCapacity();
    sorted.forEach(map::add);
    return map;
  }

  /** Adds a node as the last one. */
  public void add(NodeOffer offer) {
    MachineCapacity machine =
        machines.computeIfAbsent(
            offer.machine().id(),
            id ->
                new MachineCapacity(
                    offer.machine().cpus().free(), offer.machine().memory().free()));
    machine.alsoOffers(offer.machine());
    List<DeviceCapacity> own = new ArrayList<>(offer.devices().size());
    for (DeviceOffer device : offer.devices()) {
      own.add(devices.computeIfAbsent(device.id(), id -> new DeviceCapacity(device)));
    }
    counted.alsoOffers(offer.counted().ofCluster());
    rooms.put(offer.node(), new NodeCapacity(offer, machine, counted, own));
  }

  public NodeCapacity get(String node) {
    return rooms.get(node);
  }

  public Collection<NodeCapacity> all() {
    return rooms.values();
  }
}
