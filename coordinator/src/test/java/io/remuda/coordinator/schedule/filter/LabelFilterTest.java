package io.remuda.coordinator.schedule.filter;

import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.text;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LabelFilterTest {
  private final LabelFilter filter = new LabelFilter();

  private final RemainingNodeCapacity node =
      node("n1").label("zone", "a").label("disk", "ssd").label("empty", "").capacity();

  private void assertLacks(String label, String wanted, String has) {
    assertEquals(
        Optional.of(new WaitReason.LacksLabel("n1", label, wanted, has)),
        filter.refusal(node, needs().label(label, wanted).request()));
  }

  @Test
  void a_task_without_labels_fits_everywhere() {
    assertEquals(Optional.empty(), filter.refusal(node, needs().request()));
    assertEquals(Optional.empty(), filter.refusal(node("n2").capacity(), needs().request()));
  }

  @Test
  void a_task_fits_where_all_its_labels_are() {
    assertEquals(
        Optional.empty(),
        filter.refusal(node, needs().label("zone", "a").label("disk", "ssd").request()));
    assertEquals(Optional.empty(), filter.refusal(node, needs().label("empty", "").request()));
  }

  @Test
  void another_value_is_not_the_label() {
    assertLacks("zone", "b", "a");
    assertLacks("zone", "A", "a");
    assertLacks("zone", "aa", "a");
    assertLacks("empty", "x", "");
  }

  @Test
  void a_label_that_is_not_set_is_not_the_label() {
    assertLacks("rack", "7", null);
    assertLacks("rack", "", null);
    assertLacks("Zone", "a", null);
  }

  @Test
  void of_several_missing_labels_the_first_by_name_is_the_reason() {
    assertEquals(
        Optional.of(new WaitReason.LacksLabel("n1", "disk", "tape", "ssd")),
        filter.refusal(node, needs().label("zone", "b").label("disk", "tape").request()));
    assertEquals(
        Optional.of(new WaitReason.LacksLabel("n1", "zone", "b", "a")),
        filter.refusal(node, needs().label("zone", "b").label("disk", "ssd").request()));
  }

  @Test
  void a_user_reads_what_the_label_is_there() {
    assertEquals(
        "n1: label zone is a, wanted b", text(new WaitReason.LacksLabel("n1", "zone", "b", "a")));
    assertEquals(
        "n1: label rack is not set, wanted 7",
        text(new WaitReason.LacksLabel("n1", "rack", "7", null)));
  }
}
