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
public final class RemainingClusterCapacity {

  private final Map<String, RemainingNodeCapacity> rooms = new LinkedHashMap<>();
  private final Map<String, RemainingMachineCapacity> machines = new HashMap<>();
  private final Map<DeviceId, DeviceCapacity> devices = new HashMap<>();

  private final RemainingCountedResources counted = new RemainingCountedResources();

  private RemainingClusterCapacity() {}

  /** Creates the capacity of these nodes, in the natural order of their names. */
  public static RemainingClusterCapacity of(List<NodeOffer> offers) {
    List<NodeOffer> sorted = new ArrayList<>(offers);
    sorted.sort(Comparator.comparing(NodeOffer::node, NodeNameOrder.ORDER));
    RemainingClusterCapacity map = new RemainingClusterCapacity();
    sorted.forEach(map::add);
    return map;
  }

  /** Adds a node as the last one. */
  public void add(NodeOffer offer) {
    RemainingMachineCapacity machine =
        machines.computeIfAbsent(
            offer.machine().id(),
            id ->
                new RemainingMachineCapacity(
                    offer.machine().cpus().free(), offer.machine().memory().free()));
    machine.alsoOffers(offer.machine());
    List<DeviceCapacity> own = new ArrayList<>(offer.devices().size());
    for (DeviceOffer device : offer.devices()) {
      own.add(devices.computeIfAbsent(device.id(), id -> new DeviceCapacity(device)));
    }
    counted.alsoOffers(offer.counted().ofCluster());
    rooms.put(offer.node(), new RemainingNodeCapacity(offer, machine, counted, own));
  }

  public RemainingNodeCapacity get(String node) {
    return rooms.get(node);
  }

  public Collection<RemainingNodeCapacity> all() {
    return rooms.values();
  }
}
