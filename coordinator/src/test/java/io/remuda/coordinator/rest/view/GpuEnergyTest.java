package io.remuda.coordinator.rest.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.history.HistoryStore;
import io.remuda.coordinator.history.SeriesKey;
import io.remuda.coordinator.history.SeriesKind;
import io.remuda.coordinator.rest.answer.TimelineAnswer;
import io.remuda.coordinator.rest.answer.WasteAnswer;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.telemetry.model.DeviceId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The energy of GPUs by whom they were lent to, and who does not use one. */
class GpuEnergyTest {
  private static final long BEGIN = 1_800_000_000L / 3600 * 3600;
  private static final int WATTS = 360;

  @TempDir private Path folder;
  private HistoryStore history;

  @BeforeEach
  void open() throws IOException {
    history = HistoryStore.open(folder, 1 << 24, BEGIN);
  }

  @AfterEach
  void close() throws IOException {
    history.close();
  }

  /** Has a GPU draw 360 W for minutes. */
  private void draws(int minutes, int utilization) {
    for (long second = BEGIN; second < BEGIN + minutes * 60L; second++) {
      history.begin(second);
      history.put(new SeriesKey(SeriesKind.GPU, "GPU-a"), new int[] {utilization, 0, 0, WATTS, 50});
    }
  }

  private static ClusterNodesSnapshot nodes() {
    NodeOffer.Amount amount = new NodeOffer.Amount(1, 1);
    DeviceOffer device =
        new DeviceOffer(new DeviceId("GPU-a"), "H200", 1, 1, DeviceOffer.Standing.FREE);
    NodeOffer node =
        new NodeOffer(
            "n1",
            "n1",
            NodeOffer.Presence.READY,
            Map.of(),
            amount,
            amount,
            List.of(device),
            OptionalLong.empty());
    return new ClusterNodesSnapshot(
        List.of(node),
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of());
  }

  private static TimelineAnswer.Span span(long job, String user, long from, Long to) {
    return new TimelineAnswer.Span(
        "n1:0", "GPU-a", BEGIN + from, to == null ? null : BEGIN + to, job, 0, 1, user, "t", null);
  }

  private GpuEnergy energy(int minutes, TimelineAnswer.Span... spans) throws IOException {
    long end = BEGIN + minutes * 60L;
    return GpuEnergy.of(
        history,
        new TimelineAnswer(BEGIN, end, BEGIN, List.of(spans), List.of(), false),
        nodes(),
        end);
  }

  @Test
  void the_energy_is_of_who_had_the_gpu_in_equal_parts_and_else_idle() throws IOException {
    draws(60, 50);
    GpuEnergy energy = energy(60, span(1, "ann", 0, 1200L), span(2, "bob", 600, 1800L));
    assertEquals(
        List.of(
            new WasteAnswer.Energy("all", null, 0.36),
            new WasteAnswer.Energy("idle", null, 0.18),
            new WasteAnswer.Energy("node", "n1", 0.36),
            new WasteAnswer.Energy("type", "t", 0.18),
            new WasteAnswer.Energy("user", "ann", 0.09),
            new WasteAnswer.Energy("user", "bob", 0.09)),
        energy.sums(null));
    assertEquals(List.of(new WasteAnswer.Energy("user", "bob", 0.09)), energy.sums("bob"));
    assertEquals(List.of(), energy.idle());
  }

  @Test
  void the_energy_of_many_that_came_and_went_is_as_counted_minute_by_minute() throws IOException {
    draws(60, 50);
    Random random = new Random(7);
    TimelineAnswer.Span[] spans = new TimelineAnswer.Span[100];
    for (int at = 0; at < spans.length; at++) {
      long from = random.nextInt(3000);
      spans[at] = span(at, "u" + at % 5, from, from + random.nextInt(600));
    }
    double joules = 0;
    for (int minute = 0; minute < 60; minute++) {
      long middle = BEGIN + minute * 60 + 30;
      List<TimelineAnswer.Span> now =
          Stream.of(spans).filter(one -> one.from() <= middle && one.to() > middle).toList();
      long own = now.stream().filter(one -> one.user().equals("u3")).count();
      joules += now.isEmpty() ? 0 : 60.0 * WATTS * own / now.size();
    }
    assertEquals(joules / 3_600_000, energy(60, spans).sums("u3").get(0).kwh(), 0.0006);
  }

  @Test
  void who_has_a_gpu_and_has_not_used_it_for_five_minutes_is_named_with_since_when()
      throws IOException {
    draws(40, 0);
    assertEquals(List.of(), energy(40, span(1, "ann", 2110, null)).idle(), "not long enough");
    assertEquals(
        BEGIN + 2090, energy(40, span(1, "ann", 2090, null)).idle().get(0).since(), "it began");
    assertEquals(List.of(), energy(40, span(1, "ann", 0, 2000L)).idle(), "it is over");
    List<GpuEnergy.Idle> idle = energy(40, span(1, "ann", 600, null)).idle();
    assertEquals(1, idle.size());
    assertEquals(BEGIN + 600, idle.get(0).since());
  }

  @Test
  void of_a_time_that_is_over_nobody_is_named_for_what_is_idle_now() throws IOException {
    draws(40, 0);
    long now = BEGIN + 960 * 60;
    GpuEnergy energy =
        GpuEnergy.of(
            history,
            new TimelineAnswer(
                BEGIN, BEGIN + 2400, BEGIN, List.of(span(1, "ann", 0, null)), List.of(), false),
            nodes(),
            now);
    assertEquals(List.of(), energy.idle());
  }

  @Test
  void of_a_gpu_that_several_have_and_nobody_uses_each_is_named() throws IOException {
    draws(40, 0);
    List<GpuEnergy.Idle> idle =
        energy(40, span(1, "ann", 0, null), span(2, "bob", 1200, null)).idle();
    assertEquals(List.of(BEGIN, BEGIN + 1200), idle.stream().map(GpuEnergy.Idle::since).toList());
  }

  @Test
  void a_minute_that_is_not_over_counts_as_far_as_it_is() throws IOException {
    draws(10, 50);
    long end = BEGIN + 570;
    GpuEnergy energy =
        GpuEnergy.of(
            history,
            new TimelineAnswer(BEGIN, end, BEGIN + 90, List.of(), List.of(), false),
            nodes(),
            end);
    assertEquals(0.048, energy.sums(null).get(0).kwh(), "480 s of 360 W");
  }

  @Test
  void since_when_it_is_counted_is_known_at_once_and_does_not_change() throws IOException {
    draws(1, 50);
    assertEquals(BEGIN, GpuEnergy.from(history, nodes(), BEGIN - 3600, BEGIN + 60));
    for (long second = BEGIN + 60; second < BEGIN + 1860; second++) {
      history.begin(second);
    }
    assertEquals(BEGIN, GpuEnergy.from(history, nodes(), BEGIN - 3600, BEGIN + 1860));
  }

  @Test
  void a_gpu_that_was_busy_or_of_which_nothing_is_known_is_not_idle() throws IOException {
    draws(40, 1);
    assertEquals(List.of(), energy(40, span(1, "ann", 0, null)).idle());
    assertEquals(List.of(), energy(90, span(1, "ann", 0, null)).idle(), "nothing is known of it");
  }
}
