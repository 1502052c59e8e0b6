package io.remuda.coordinator.schedule;

import io.remuda.telemetry.model.DeviceId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is left of every node, in the natural order of their names. */
final class RoomMap {

  private final Map<String, NodeRoom> rooms = new LinkedHashMap<>();

  private RoomMap() {}

  static RoomMap of(List<NodeOffer> offers) {
    List<NodeOffer> sorted = new ArrayList<>(offers);
    sorted.sort(Comparator.comparing(NodeOffer::node, NodeNames.ORDER));
    Map<String, NodeRoom.Machine> machines = new HashMap<>();
    Map<DeviceId, NodeRoom.DeviceRoom> devices = new HashMap<>();
    RoomMap map = new RoomMap();
    for (NodeOffer offer : sorted) {
      NodeRoom.Machine machine =
          machines.computeIfAbsent(
              offer.machine(),
              name -> new NodeRoom.Machine(offer.cpus().free(), offer.memory().free()));
      machine.alsoOffers(offer);
      List<NodeRoom.DeviceRoom> own = new ArrayList<>();
      for (DeviceOffer device : offer.devices()) {
        own.add(devices.computeIfAbsent(device.id(), id -> new NodeRoom.DeviceRoom(device)));
      }
      map.rooms.put(offer.node(), new NodeRoom(offer, machine, own));
    }
    return map;
  }

  NodeRoom get(String node) {
    return rooms.get(node);
  }

  Collection<NodeRoom> all() {
    return rooms.values();
  }
}
