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

  /** The offers as they were given. */
  private List<NodeOffer> given = List.of();

  private RemainingClusterCapacity() {}

  /** Creates the capacity of these nodes, in the natural order of their names. */
  public static RemainingClusterCapacity of(List<NodeOffer> offers) {
    List<NodeOffer> sorted = new ArrayList<>(offers);
    sorted.sort(Comparator.comparing(NodeOffer::node, NodeNameOrder.ORDER));
    RemainingClusterCapacity map = new RemainingClusterCapacity();
    sorted.forEach(map::add);
    map.given = List.copyOf(offers);
    return map;
  }

  /**
   * Makes this the capacity of these nodes: what was taken is free again, and only nodes with
   * another offer, and those of which something was taken, are computed again.
   *
   * @return false, with this unchanged, if they are other nodes, or share what they have
   */
  public boolean renew(List<NodeOffer> offers) {
    if (offers.size() != given.size() || devicesOfAll() != devices.size() || counted.isAny()) {
      return false;
    }
    List<NodeOffer> changed = new ArrayList<>();
    for (int i = 0; i < offers.size(); i++) {
      NodeOffer before = given.get(i);
      NodeOffer now = offers.get(i);
      RemainingNodeCapacity room = now == before ? rooms.get(now.node()) : null;
      if (room != null && room.version() == 0 && !room.isShared()) {
        continue;
      }
      if (!now.node().equals(before.node()) || !isLike(before, now)) {
        return false;
      }
      changed.add(now);
    }
    for (NodeOffer offer : changed) {
      offer.devices().forEach(device -> devices.remove(device.id()));
      machines.remove(offer.machine().id());
      add(offer);
    }
    given = List.copyOf(offers);
    return true;
  }

  private int devicesOfAll() {
    int all = 0;
    for (NodeOffer offer : given) {
      all += offer.devices().size();
    }
    return all;
  }

  /** Returns whether only the amounts are other ones, and nothing of it is shared. */
  private boolean isLike(NodeOffer before, NodeOffer now) {
    boolean same =
        !rooms.get(before.node()).isShared()
            && before.machine().id().equals(now.machine().id())
            && before.devices().size() == now.devices().size()
            && now.counted().ofCluster().isEmpty();
    for (int i = 0; same && i < before.devices().size(); i++) {
      same = before.devices().get(i).id().equals(now.devices().get(i).id());
    }
    return same;
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
      DeviceCapacity capacity =
          devices.computeIfAbsent(device.id(), id -> new DeviceCapacity(device));
      capacity.seen();
      own.add(capacity);
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
