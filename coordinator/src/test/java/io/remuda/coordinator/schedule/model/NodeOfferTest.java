package io.remuda.coordinator.schedule.model;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.coordinator.schedule.NodeBuilder;
import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import io.remuda.coordinator.schedule.model.NodeOffer.Presence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class NodeOfferTest {

  private static NodeBuilder busy() {
    return node("n1", device("A").taken(), device("B").shared(30))
        .label("zone", "a")
        .machine("m1", new Amount(1000, 8000), new Amount(200, 2000))
        .cpus(500, 4000)
        .memory(100, 1000)
        .clearsIn(60_000)
        .slotsInUse(7);
  }

  @Test
  void an_emptied_node_has_all_that_it_has_in_total() {
    NodeOffer emptied = busy().presence(Presence.DRAINING).offer().emptied();
    assertEquals(
        node("n1", device("A"), device("B"))
            .label("zone", "a")
            .machine("m1", new Amount(8000, 8000), new Amount(2000, 2000))
            .offer(),
        emptied);
  }

  @Test
  void an_emptied_node_has_no_pause_and_no_end() {
    NodeOffer emptied = busy().paused(new NodePause.Failures(5, "no space", 100)).offer().emptied();
    assertNull(emptied.pause());
    assertEquals(Presence.READY, emptied.presence());
    assertEquals(OptionalLong.empty(), emptied.clearsAt(0));
    assertEquals(0, emptied.tasks());
  }

  @Test
  void a_vacated_node_is_an_emptied_one_but_for_its_drained_devices() {
    NodeOffer drained =
        node("n1", device("A").taken(), device("B").taken().drained("a fan")).slotsInUse(2).offer();
    assertEquals(node("n1", device("A"), device("B").drained("a fan")).offer(), drained.vacated());
    assertEquals(node("n1", device("A"), device("B")).offer(), drained.emptied());
  }

  @Test
  void to_empty_a_node_twice_changes_nothing() {
    NodeOffer emptied = busy().offer().emptied();
    assertEquals(emptied, emptied.emptied());
  }

  @Test
  void a_paused_node_is_the_same_but_for_the_pause() {
    NodePause why = new NodePause.Standstill("the disk", 5);
    NodeOffer offer = busy().offer();
    assertEquals(busy().paused(why).offer(), offer.paused(why));
    assertEquals(Presence.READY, offer.presence(), "the offer itself is unchanged");
  }

  @Test
  void a_short_offer_is_of_all_of_its_machine_and_has_no_tasks() {
    Amount cpus = new Amount(1, 2);
    Amount memory = new Amount(3, 4);
    NodeOffer offer =
        new NodeOffer(
            "n1", "m1", Presence.READY, Map.of(), cpus, memory, List.of(), OptionalLong.empty());
    assertEquals(new NodeOffer.MachineOffer("m1", cpus, memory), offer.machine());
    assertEquals(0, offer.tasks());
    assertNull(offer.pause());
  }

  @Test
  void labels_and_devices_are_copied() {
    Map<String, String> labels = new HashMap<>(Map.of("zone", "a"));
    List<DeviceOffer> devices = new ArrayList<>(List.of(device("A").offer()));
    Amount any = new Amount(1, 1);
    NodeOffer offer =
        new NodeOffer("n1", "m1", Presence.READY, labels, any, any, devices, OptionalLong.empty());
    labels.clear();
    devices.clear();
    assertEquals(Map.of("zone", "a"), offer.labels());
    assertEquals(List.of(device("A").offer()), offer.devices());
    assertThrows(UnsupportedOperationException.class, () -> offer.devices().clear());
  }
}
