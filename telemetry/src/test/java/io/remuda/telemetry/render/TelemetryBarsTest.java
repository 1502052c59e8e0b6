package io.remuda.telemetry.render;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import java.util.List;
import org.junit.jupiter.api.Test;

class TelemetryBarsTest {
  private static final int PLENTY = 100;

  private final TelemetryBars bars = new TelemetryBars();
  private long sequence;

  private void node(String name, double load, DeviceSample... devices) {
    HostSample host = new HostSample(load, 0, 0, null, 4, 1, 1, null);
    bars.add(new NodeSample(name, ++sequence, 0, host, List.of(devices)));
  }

  private static DeviceSampleBuilder device(int index) {
    return DeviceSampleBuilder.of(new DeviceId("gpu-" + index), index);
  }

  private static DeviceSample gpu(int index, Integer util) {
    return device(index).utilGpu(util).build();
  }

  private List<String> labels(int lines) {
    return bars.within(lines).stream().map(LabelledBar::label).toList();
  }

  private static LabelledBar load(String node, double load, String amount) {
    return new LabelledBar(LabelledBar.Kind.CPU, node + " cpu load avg.", load, 100, amount, "");
  }

  private static LabelledBar util(String node, int index, Integer util, String more) {
    return new LabelledBar(
        LabelledBar.Kind.GPU,
        node + " device " + index + " util",
        util == null ? null : util.doubleValue(),
        100,
        util == null ? "n/a" : util + "/100",
        more);
  }

  @Test
  void a_node_is_a_bar_for_its_load_and_one_for_each_gpu() {
    node("n1", 0.174, gpu(0, 9), gpu(1, 100));
    assertEquals(
        List.of(load("n1", 0.174, "0.17/100"), util("n1", 0, 9, ""), util("n1", 1, 100, "")),
        bars.within(PLENTY));
  }

  @Test
  void nodes_come_in_the_order_of_their_first_sample() {
    node("n2", 1);
    node("n10", 1);
    node("n1", 1);
    node("n10", 2);
    node("n2", 2);
    assertEquals(
        List.of(load("n2", 2, "2.00/100"), load("n10", 2, "2.00/100"), load("n1", 1, "1.00/100")),
        bars.within(PLENTY));
  }

  @Test
  void the_newest_sample_of_a_node_replaces_the_one_before() {
    node("n1", 1, gpu(0, 9), gpu(1, 10));
    node("n1", 2, gpu(0, 90));
    assertEquals(List.of(load("n1", 2, "2.00/100"), util("n1", 0, 90, "")), bars.within(PLENTY));
  }

  @Test
  void a_utilisation_that_is_missing_is_not_available_and_no_zero() {
    node("n1", 1, gpu(0, null), gpu(1, 0));
    assertEquals(
        List.of(util("n1", 0, null, ""), util("n1", 1, 0, "")), bars.within(PLENTY).subList(1, 3));
  }

  @Test
  void memory_is_told_when_both_of_its_readings_are_there() {
    node(
        "n1",
        1,
        device(0).utilGpu(1).memUsed(1L << 30).memTotal(80L << 30).build(),
        device(1).utilGpu(1).memUsed(1L << 30).build(),
        device(2).utilGpu(1).memTotal(80L << 30).build());
    assertEquals(
        List.of("", "1.0/80.0 GiB", "", ""),
        bars.within(PLENTY).stream().map(LabelledBar::more).toList());
  }

  @Test
  void a_device_that_is_lost_or_stale_says_so_in_place_of_its_memory() {
    node(
        "n1",
        1,
        device(0).health(DeviceHealth.LOST).memUsed(1L).memTotal(2L).build(),
        device(1).health(DeviceHealth.STALE).build(),
        device(2).health(DeviceHealth.DEGRADED).build());
    assertEquals(
        List.of("", "lost", "stale", ""),
        bars.within(PLENTY).stream().map(LabelledBar::more).toList());
  }

  @Test
  void nodes_without_gpu_show_their_load_however_few_lines_there_are() {
    node("n1", 1);
    node("n2", 2);
    node("n3", 3, gpu(0, 50));
    List<LabelledBar> loads = List.of(load("n1", 1, "1.00/100"), load("n2", 2, "2.00/100"));
    assertEquals(loads, bars.within(4).subList(0, 2));
    assertEquals(loads, bars.within(3).subList(0, 2));
  }

  @Test
  void all_bars_are_shown_while_they_fit() {
    node("n1", 1, gpu(0, 9), gpu(1, 10));
    node("n2", 1, gpu(0, 9));
    assertEquals(
        List.of(
            "n1 cpu load avg.",
            "n1 device 0 util",
            "n1 device 1 util",
            "n2 cpu load avg.",
            "n2 device 0 util"),
        labels(5));
    assertEquals(List.of("n1 2 devices util", "n2 1 devices util"), labels(4));
  }

  @Test
  void a_folded_node_is_the_mean_of_its_gpus_with_the_highest_and_the_load() {
    node("n1", 0.174, gpu(0, 20), gpu(1, 100), gpu(2, 30));
    assertEquals(
        List.of(
            new LabelledBar(
                LabelledBar.Kind.GPU,
                "n1 3 devices util",
                50.0,
                100,
                "50/100",
                "max 100, load 0.17")),
        bars.within(3));
  }

  @Test
  void the_mean_of_a_folded_node_is_one_number_in_its_bar_and_in_its_words() {
    node("n1", 1, gpu(0, 9), gpu(1, 100));
    LabelledBar folded = bars.within(1).get(0);
    assertEquals(55.0, folded.value());
    assertEquals("55/100", folded.amount());
  }

  @Test
  void a_folded_node_takes_the_mean_of_the_gpus_that_answer_and_counts_the_others() {
    node("n1", 1, gpu(0, 20), device(1).health(DeviceHealth.LOST).build(), gpu(2, null));
    assertEquals(
        List.of(
            new LabelledBar(
                LabelledBar.Kind.GPU,
                "n1 3 devices util",
                20.0,
                100,
                "20/100",
                "max 20, load 1.00, 2 without a reading")),
        bars.within(1));
  }

  @Test
  void a_folded_node_of_which_no_gpu_answers_shows_its_load() {
    node("n1", 1, gpu(0, null), gpu(1, null));
    assertEquals(List.of(load("n1", 1, "1.00/100")), bars.within(1));
  }

  @Test
  void where_there_are_more_nodes_than_lines_the_last_line_counts_the_rest() {
    for (int number = 1; number <= 20; number++) {
      node("n" + number, 1, gpu(0, 50));
    }
    assertEquals(List.of("n1 1 devices util", "n2 1 devices util", "and 18 more nodes"), labels(3));
    assertEquals(List.of("and 20 more nodes"), labels(1));
    assertEquals(20, labels(20).size());
    assertEquals("n20 1 devices util", labels(20).get(19));
    assertEquals("and 2 more nodes", labels(19).get(18));
  }

  @Test
  void before_the_first_sample_there_is_nothing_to_show() {
    assertEquals(List.of(), bars.within(1));
  }
}
