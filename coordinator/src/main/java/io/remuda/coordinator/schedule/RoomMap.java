package io.remuda.coordinator.schedule;

import io.remuda.telemetry.model.DeviceId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is left of every node. */
final class RoomMap {

  private final Map<String, NodeRoom> rooms = new LinkedHashMap<>();
  private final Map<String, NodeRoom.Machine> machines = new HashMap<>();
  private final Map<DeviceId, NodeRoom.DeviceRoom> devices = new HashMap<>();

  private RoomMap() {}

  /** In the natural order of the nodes' names. */
  static RoomMap of(List<NodeOffer> offers) {
    List<NodeOffer> sorted = new ArrayList<>(offers);
    sorted.sort(Comparator.comparing(NodeOffer::node, NodeNames.ORDER));
    RoomMap map = new RoomMap();
    sorted.forEach(map::add);
    return map;
  }

  /** A node more; it comes last. */
  void add(NodeOffer offer) {
    NodeRoom.Machine machine =
        machines.computeIfAbsent(
            offer.machine(),
            name -> new NodeRoom.Machine(offer.cpus().free(), offer.memory().free()));
    machine.alsoOffers(offer);
    List<NodeRoom.DeviceRoom> own = new ArrayList<>(offer.devices().size());
    for (DeviceOffer device : offer.devices()) {
      own.add(devices.computeIfAbsent(device.id(), id -> new NodeRoom.DeviceRoom(device)));
    }
    rooms.put(offer.node(), new NodeRoom(offer, machine, own));
  }

  NodeRoom get(String node) {
    return rooms.get(node);
  }

  Collection<NodeRoom> all() {
    return rooms.values();
  }
}
